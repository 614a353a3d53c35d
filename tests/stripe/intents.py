"""The lifecycle of PaymentIntents: https://docs.stripe.com/payments/paymentintents/lifecycle

localstripe's end with the first decline, accept no payment method on confirmation, have no off-session charges, and
report errors without a code.
"""

from localstripe import resources
from localstripe.resources import Charge, Customer, PaymentIntent, PaymentMethod, StripeObject, try_convert_to_bool

from cards import AUTHENTICATION, assert_usable
from errors import Refused, unexpected
from routes import route
from webhooks import tell

# https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts: cents
SMALLEST = 50

# Fields that localstripe's intents do not have.
_MORE = ('description', 'receipt_email', 'setup_future_usage', 'statement_descriptor', 'statement_descriptor_suffix')
# Parameters that only concern browsers.
_OF_BROWSERS = ('automatic_payment_methods', 'return_url', 'error_on_requires_action', 'mandate_data', 'use_stripe_sdk')
_CHANGEABLE = ('amount', 'currency', 'customer', 'payment_method', 'payment_method_types', *_MORE)
_STILL_PAYABLE = ('requires_payment_method', 'requires_confirmation', 'requires_action')
_CANCELLABLE = (*_STILL_PAYABLE, 'requires_capture')


def assert_amount(amount, name='amount'):
    try:
        cents = int(amount)
    except (TypeError, ValueError):
        raise Refused(400, f'Invalid integer: {amount}', 'parameter_invalid_integer', param=name) from None
    if cents < SMALLEST:
        raise Refused(400, 'Amount must be at least $0.50 usd', 'amount_too_small', param=name)
    return cents


def _created(confirm=None, off_session=None, payment_method=None, amount=None, **data):
    """https://docs.stripe.com/api/payment_intents/create"""
    more = {name: data.pop(name, None) for name in _MORE}
    for name in _OF_BROWSERS:
        data.pop(name, None)
    confirm, off_session = try_convert_to_bool(confirm) or False, try_convert_to_bool(off_session) or False
    if off_session and not confirm:
        raise Refused(400, 'off_session is for intents that are confirmed at once.', param='off_session')
    if payment_method is not None:
        payment_method = PaymentMethod._api_retrieve(payment_method).id
    intent = PaymentIntent(amount=assert_amount(amount), payment_method=payment_method, **data)
    vars(intent).update(more)
    intent.payment_method_types = data.get('payment_method_types') or ['card']
    tell('payment_intent.created', intent)
    if confirm:
        confirm_it(intent, off_session=off_session)
    return intent


def _api_update(id, **data):
    """https://docs.stripe.com/api/payment_intents/update"""
    intent = PaymentIntent._api_retrieve(id)
    metadata = data.pop('metadata', None)
    unexpected(data.keys() - set(_CHANGEABLE))
    if intent.status not in _STILL_PAYABLE and data.keys() - {'description'}:
        raise _unexpected_state(intent, 'update')
    if 'amount' in data:
        data['amount'] = assert_amount(data['amount'])
    if 'customer' in data:
        Customer._api_retrieve(data['customer'])
    if 'payment_method' in data:
        data['payment_method'] = PaymentMethod._api_retrieve(data['payment_method']).id
        intent.next_action = None
    vars(intent).update(data)
    if metadata is not None:
        intent._update(metadata=metadata)
    return intent


def _api_confirm(id, payment_method=None, off_session=None, **data):
    """https://docs.stripe.com/api/payment_intents/confirm"""
    intent = PaymentIntent._api_retrieve(id)
    more = {name: data.pop(name) for name in ('receipt_email', 'setup_future_usage') if name in data}
    unexpected(data.keys() - set(_OF_BROWSERS))
    if intent.status not in _STILL_PAYABLE or (intent.status == _STILL_PAYABLE[0] and payment_method is None):
        raise _unexpected_state(intent, 'confirm')
    if payment_method is not None:
        intent.payment_method = PaymentMethod._api_retrieve(payment_method).id
    vars(intent).update(more)
    confirm_it(intent, off_session=try_convert_to_bool(off_session) or False)
    return intent


def _api_cancel(id, cancellation_reason=None):
    """https://docs.stripe.com/api/payment_intents/cancel"""
    intent = PaymentIntent._api_retrieve(id)
    if intent._checkout:
        message = 'The PaymentIntent of a Checkout Session cannot be canceled: expire the session instead.'
        raise Refused(400, message, 'payment_intent_unexpected_state')
    return cancel(intent, cancellation_reason)


def cancel(intent, reason=None):
    if intent.status not in _CANCELLABLE:
        raise _unexpected_state(intent, 'cancel')
    PaymentIntent._api_cancel(intent.id)
    intent.cancellation_reason = reason
    intent.canceled_at = int(resources.time.time())
    tell('payment_intent.canceled', intent)
    return intent


def confirm_it(intent, off_session=False, authenticated=False):
    """Charges it. `off_session`: without the cardholder; `authenticated`: the bank has authenticated them."""
    method = PaymentMethod._api_retrieve(intent.payment_method)
    assert_usable(method)
    if method.customer is not None and method.customer != intent.customer:
        raise Refused(400, 'The provided PaymentMethod belongs to a Customer: include it in the PaymentIntent.')
    intent.next_action = None
    intent._authentication_failed = False
    asks = method._requires_authentication() and not authenticated
    if asks and not off_session:
        PaymentIntent._confirm(intent, on_failure_now=intent._report_failure)
        tell('payment_intent.requires_action', intent)
        return
    charge = Charge(
        amount=intent.amount,
        currency=intent.currency,
        customer=intent.customer,
        source=method.id,
        capture=intent.capture_method != 'manual',
        description=intent.description,
        metadata=dict(intent.metadata),
    )
    charge.payment_intent = intent.id
    intent.latest_charge = charge
    if asks:
        charge._set_auth_failure(AUTHENTICATION)
        intent._report_failure()
    charge._initialize_charge(intent._on_success, intent._report_failure, intent._report_async_failure)


def _on_success(self):
    self._last_error = None
    tell('charge.succeeded', self.latest_charge)
    if self.setup_future_usage and self.customer:
        # https://docs.stripe.com/payments/save-during-payment: the card is attached to the customer.
        method = PaymentMethod._api_retrieve(self.payment_method)
        if method.customer is None and not method._attaching_is_declined():
            method.customer = self.customer
            tell('payment_method.attached', method)
        method._set_up = True
    _localstripes_on_success(self)


def _report_failure(self):
    """The next attempt needs a payment method again; the error contains the intent."""
    charge = self.latest_charge
    method = PaymentMethod._api_retrieve(self.payment_method)
    refusal = charge._refusal
    self.payment_method = None
    self._last_error = {
        'type': 'card_error',
        'code': refusal.code,
        'decline_code': refusal.decline_code,
        'message': refusal.message,
        'charge': charge.id,
        'payment_method': method._export(),
    }
    tell('charge.failed', charge)
    tell('payment_intent.payment_failed', self)
    raise refusal.error(
        charge=charge.id, payment_intent=self._export(), payment_method=method._export(), began=True
    )


def _unexpected_state(intent, act):
    done = {'update': 'updated', 'confirm': 'confirmed', 'cancel': 'canceled'}[act]
    message = f'This PaymentIntent could not be {done} because it has a status of {intent.status}.'
    if act == 'confirm' and intent.status == 'succeeded':
        message = 'You cannot confirm this PaymentIntent because it has already succeeded.'
    elif act == 'confirm' and intent.status == 'requires_payment_method':
        message = "You cannot confirm this PaymentIntent because it's missing a payment method."
    return Refused(400, message, 'payment_intent_unexpected_state', began=True, payment_intent=intent._export())


def _status(self):
    if self.payment_method and not self._canceled and not self.next_action:
        if self.latest_charge is not None and self.latest_charge.status == 'failed':
            return 'requires_confirmation'
    return _localstripes_status.fget(self)


def _last_payment_error(self):
    return _localstripes_error.fget(self) if self._authentication_failed else self._last_error


def _amount_received(self):
    return self.amount if self.status == 'succeeded' else 0


def _export(self, expand=None):
    """https://docs.stripe.com/api/payment_intents/object: the latest charge is an id unless it is expanded."""
    told = StripeObject._export(self)
    told['latest_charge'] = self.latest_charge and self.latest_charge.id
    plain = StripeObject.__new__(StripeObject)
    vars(plain).update(told)
    return StripeObject._export(plain, expand)


_localstripes_on_success = PaymentIntent._on_success
_localstripes_status = PaymentIntent.status
_localstripes_error = PaymentIntent.last_payment_error
PaymentIntent._on_success = _on_success
PaymentIntent._report_failure = _report_failure
PaymentIntent._export = _export
PaymentIntent.status = property(_status)
PaymentIntent.last_payment_error = property(_last_payment_error)
PaymentIntent.amount_received = property(_amount_received)
# Removed in 2022: https://docs.stripe.com/changelog
del PaymentIntent.charges
PaymentIntent._last_error = None
# Whether it belongs to a Checkout Session.
PaymentIntent._checkout = False
for _name in (*_MORE, 'canceled_at', 'cancellation_reason'):
    setattr(PaymentIntent, _name, None)

PaymentIntent._api_create = staticmethod(_created)
PaymentIntent._api_update = staticmethod(_api_update)
route('POST', '/v1/payment_intents/{id}/confirm', _api_confirm)
route('POST', '/v1/payment_intents/{id}/cancel', _api_cancel)
