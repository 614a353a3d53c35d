"""Test cards that localstripe does not know, or accepts: https://docs.stripe.com/testing

What happens when a card is charged, and when it is attached to a customer.
"""

from dataclasses import dataclass

from localstripe import resources
from localstripe.resources import Charge, Customer, PaymentMethod

from errors import Refused
from routes import route
from webhooks import tell


@dataclass(frozen=True)
class Refusal:
    """https://docs.stripe.com/declines/codes"""

    message: str
    code: str = 'card_declined'
    decline_code: str = None

    def error(self, **more):
        return Refused(402, self.message, self.code, decline_code=self.decline_code, **more)


DECLINED = Refusal('Your card was declined.', decline_code='generic_decline')
INSUFFICIENT = Refusal('Your card has insufficient funds.', decline_code='insufficient_funds')
AUTHENTICATION = Refusal(
    'Your card was declined. This transaction requires authentication.',
    'authentication_required',
    'authentication_required',
)

_REFUSED = {
    '4000000000000002': DECLINED,
    '4000000000009995': INSUFFICIENT,
    '4000000000009987': Refusal('Your card was declined.', decline_code='lost_card'),
    '4000000000009979': Refusal('Your card was declined.', decline_code='stolen_card'),
    '4000000000000069': Refusal('Your card has expired.', 'expired_card'),
    '4000000000000127': Refusal("Your card's security code is incorrect.", 'incorrect_cvc'),
    '4000000000000119': Refusal('An error occurred while processing your card.', 'processing_error'),
    # These can be attached; only charging them fails.
    '4000000000000341': DECLINED,
    '4000008260003178': INSUFFICIENT,
    '4000008400001629': DECLINED,
}

INCORRECT_NUMBER = '4242424242424241'

# Requires authentication each time, or until the card is saved in the cardholder's presence.
_AUTHENTICATED_ALWAYS = {
    '4000002760003184',
    '4000008260003178',
    '4000000000003220',
    '4000000000003063',
    '4000008400001629',
}
_AUTHENTICATED_ONCE = '4000002500003155'

# https://docs.stripe.com/testing?testing-method=payment-methods: names that each stand for a new payment method per use
_NAMED = {
    'pm_card_visa': '4242424242424242',
    'pm_card_mastercard': '5555555555554444',
    'pm_card_chargeDeclined': '4000000000000002',
    'pm_card_visa_chargeDeclined': '4000000000000002',
    'pm_card_visa_chargeDeclinedInsufficientFunds': '4000000000009995',
    'pm_card_visa_chargeDeclinedLostCard': '4000000000009987',
    'pm_card_visa_chargeDeclinedStolenCard': '4000000000009979',
    'pm_card_chargeDeclinedExpiredCard': '4000000000000069',
    'pm_card_chargeDeclinedIncorrectCvc': '4000000000000127',
    'pm_card_chargeDeclinedProcessingError': '4000000000000119',
    'pm_card_chargeCustomerFail': '4000000000000341',
    'pm_card_authenticationRequired': '4000002760003184',
    'pm_card_authenticationRequiredOnSetup': _AUTHENTICATED_ONCE,
    'pm_card_authenticationRequiredChargeDeclinedInsufficientFunds': '4000008260003178',
}


def refusal_of(method):
    return _REFUSED.get(getattr(method, '_card_number', None))


def _attaching_is_declined(self):
    number = getattr(self, '_card_number', None)
    return number == INCORRECT_NUMBER or _localstripes_attaching_is_declined(self)


def _requires_authentication(self):
    number = getattr(self, '_card_number', None)
    return number in _AUTHENTICATED_ALWAYS or (number == _AUTHENTICATED_ONCE and not self._set_up)


def _charging_is_declined(self):
    return refusal_of(self) is not None or _localstripes_charging_is_declined(self)


def _named(cls, id):
    number = _NAMED.get(id)
    if number is not None:
        return cls(type='card', card={'number': number, 'exp_month': 12, 'exp_year': 2034, 'cvc': '123'})


_localstripes_attaching_is_declined = PaymentMethod._attaching_is_declined
_localstripes_charging_is_declined = PaymentMethod._charging_is_declined
PaymentMethod._attaching_is_declined = _attaching_is_declined
PaymentMethod._requires_authentication = _requires_authentication
PaymentMethod._charging_is_declined = _charging_is_declined
PaymentMethod._try_get_canonical_test_article = classmethod(_named)
# Whether it was saved in the cardholder's presence; whether it was detached from a customer.
resources.Card._set_up = PaymentMethod._set_up = False
PaymentMethod._detached = False


def attach(id, customer=None):
    """https://docs.stripe.com/api/payment_methods/attach: the error of a declined card says why."""
    method = PaymentMethod._api_retrieve(id)
    if method.customer == customer and customer is not None:
        return method
    if method.customer is not None:
        raise Refused(400, 'The payment method you provided has already been attached to a customer.')
    assert_usable(method)
    if method._attaching_is_declined():
        raise (refusal_of(method) or DECLINED).error(began=True)
    PaymentMethod._api_attach(method.id, customer=customer)
    tell('payment_method.attached', method)
    return method


def assert_usable(method):
    """https://docs.stripe.com/api/payment_methods/detach: it can never be used again."""
    if method._detached:
        message = 'The provided PaymentMethod was detached from a Customer. It may not be used again.'
        raise Refused(400, message, 'payment_method_unexpected_state')


def _detach(id):
    method = PaymentMethod._api_retrieve(id)
    if method.customer is None:
        raise Refused(400, 'The payment method you provided is not attached to a customer so detachment is impossible.')
    PaymentMethod._api_detach(id)
    method._detached = True
    tell('payment_method.detached', method)
    return method


def _of_customer(id, type='card', **page):
    """https://docs.stripe.com/api/payment_methods/customer_list"""
    return PaymentMethod._api_list_all(f'/v1/customers/{id}/payment_methods', customer=id, type=type, **page)


route('POST', '/v1/payment_methods/{id}/attach', attach)
route('POST', '/v1/payment_methods/{id}/detach', _detach)
route('GET', '/v1/customers/{id}/payment_methods', _of_customer)


def _set_failure(self, refusal=None):
    """https://docs.stripe.com/api/charges/object: why it failed."""
    refusal = refusal or refusal_of(PaymentMethod._api_retrieve(self.payment_method)) or DECLINED
    self._refusal = refusal
    self.status = 'failed'
    self.failure_code = refusal.code
    self.failure_message = refusal.message
    self.outcome = {'type': 'issuer_declined', 'reason': refusal.decline_code or refusal.code}


def _raise_failure(self):
    raise self._refusal.error(charge=self.id, began=True)


def _details(self):
    """https://docs.stripe.com/api/charges/object#charge_object-payment_method_details"""
    method = PaymentMethod._api_retrieve(self.payment_method)
    return {'type': method.type, method.type: getattr(method, method.type, None)}


Charge._set_auth_failure = _set_failure
Charge._raise_failure = _raise_failure
Charge.payment_method_details = property(_details)
Charge.outcome = None
