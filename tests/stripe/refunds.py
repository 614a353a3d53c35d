"""Refunds up to the remaining amount of a charge: https://docs.stripe.com/api/refunds. localstripe's have no limit, no
reason and no events."""

from localstripe.resources import Charge, List, PaymentIntent, Refund

from errors import Refused, unexpected
from routes import route
from webhooks import tell

_REASONS = ('duplicate', 'fraudulent', 'requested_by_customer')


def _dollars(cents):
    return f'${cents / 100:,.2f}'


def _charge(charge, payment_intent):
    if (charge is None) == (payment_intent is None):
        raise Refused(400, 'One of charge and payment_intent is needed.', 'parameter_missing', param='charge')
    if charge is not None:
        return Charge._api_retrieve(charge)
    intent = PaymentIntent._api_retrieve(payment_intent)
    if intent.status != 'succeeded':
        raise Refused(400, f'This PaymentIntent ({intent.id}) does not have a successful charge to refund.')
    return intent.latest_charge


def _created(charge=None, payment_intent=None, amount=None, reason=None, metadata=None, **data):
    unexpected(data)
    if reason is not None and reason not in _REASONS:
        raise Refused(400, f'Invalid reason: {reason}', param='reason')
    paid = _charge(charge, payment_intent)
    left = paid.amount - paid.amount_refunded
    if left == 0:
        message = f'Charge {paid.id} has already been refunded.'
        raise Refused(400, message, 'charge_already_refunded', began=True)
    cents = left if amount is None else _positive(amount)
    if cents > left:
        message = f'Refund amount ({_dollars(cents)}) is greater than unrefunded amount on charge ({_dollars(left)})'
        raise Refused(400, message, began=True, param='amount')
    refund = Refund(charge=paid.id, amount=cents, metadata=metadata)
    refund.payment_intent = paid.payment_intent
    refund.reason = reason
    tell('refund.created', refund)
    tell('charge.refunded', paid)
    return refund


def _positive(amount):
    try:
        cents = int(amount)
    except ValueError:
        cents = 0
    if cents < 1:
        raise Refused(400, f'Invalid positive integer: {amount}', 'parameter_invalid_integer', param='amount')
    return cents


def _cancelled(id):
    """https://docs.stripe.com/api/refunds/cancel: refunds to cards cannot be canceled."""
    Refund._api_retrieve(id)
    raise Refused(400, 'Only refunds of customer balances that await the customer can be canceled.')


def _made(self, **data):
    _localstripes_made(self, **data)
    charge = Charge._api_retrieve(self.charge)
    charge._refunds = (self, *charge._refunds)


def _of_charge(self):
    """The refunds of this charge, stored with it: localstripe searches all its objects each time one is serialized."""
    refunds = List(f'/v1/charges/{self.id}/refunds')
    refunds._list = list(self._refunds)
    return refunds


_localstripes_made = Refund.__init__
Refund.__init__ = _made
Charge._refunds = ()
Charge.refunds = property(_of_charge)
Refund._api_create = staticmethod(_created)
Refund.reason = None
Refund.failure_reason = None
route('POST', '/v1/refunds/{id}/cancel', _cancelled)
