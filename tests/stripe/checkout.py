"""Checkout Sessions, which localstripe does not have: https://docs.stripe.com/api/checkout/sessions

For payments and for saving a card. Their page is in `hosted.py`.
"""

import asyncio

from localstripe.resources import Customer, PaymentIntent, SetupIntent, StripeObject, store

import clock
from cards import attach
from errors import Refused, unexpected
from intents import assert_amount, cancel, confirm_it
from routes import route
from webhooks import tell

_MINUTE, _HOUR = 60, 3600
# Fields copied to a payment's intent.
_OF_PAYMENTS = (
    'metadata',
    'setup_future_usage',
    'description',
    'receipt_email',
    'statement_descriptor_suffix',
    'capture_method',
)
_OF_SETUPS = ('metadata', 'description')
# How the page looks; ignored, as this one has its own look.
_OF_PAGES = ('locale', 'submit_type', 'billing_address_collection', 'custom_text', 'phone_number_collection')


class Session(StripeObject):
    object = 'checkout.session'
    _id_prefix = 'cs_test_'
    # Origin of the pages, set by the server once it listens.
    _server = None

    def __init__(self, mode, customer, customer_email, customer_creation, expires_at, success_url, cancel_url, given):
        super().__init__()
        self.mode = mode
        self.status = 'open'
        self.payment_status = 'unpaid' if mode == 'payment' else 'no_payment_required'
        self.customer = customer
        self.customer_email = customer_email
        self.customer_creation = customer_creation
        self.success_url = success_url
        self.cancel_url = cancel_url
        self.expires_at = expires_at
        self.client_reference_id = given.get('client_reference_id')
        self.metadata = given.get('metadata') or {}
        self.payment_method_types = given.get('payment_method_types') or ['card']
        self.currency = given.get('currency')
        self.amount_subtotal = self.amount_total = None
        self.payment_intent = self.setup_intent = None
        # What it is for, and the fields copied to its intent.
        self._name = None
        self._intent_data = {}

    @property
    def url(self):
        # "This value is only present when the session is active."
        return f'{self._server}/c/pay/{self.id}' if self.status == 'open' else None

    @property
    def customer_details(self):
        email = self.customer_email
        if self.customer and ('customer:' + self.customer) in store:
            email = Customer._api_retrieve(self.customer).email or email
        return {'email': email} if email else None

    def _expire(self):
        self.status = 'expired'
        if self.payment_intent:
            cancel(PaymentIntent._api_retrieve(self.payment_intent), 'abandoned')
        tell('checkout.session.expired', self)

    def _pay(self, method):
        """Charges or saves the card in the cardholder's presence. Raises the error of a declined card."""
        keeps = self.mode == 'setup' or self._intent_data.get('setup_future_usage')
        if self.customer is None and (keeps or self.customer_creation == 'always'):
            self.customer = Customer(email=self.customer_email).id
        if self.mode == 'setup':
            self._keep(method)
        else:
            self._charge(method)
        self.status = 'complete'
        tell('checkout.session.completed', self)

    def _charge(self, method):
        if self.payment_intent is None:
            # "A PaymentIntent is created when the session is confirmed."
            wanted = {'customer': self.customer, **self._intent_data}
            intent = PaymentIntent._api_create(amount=self.amount_total, currency=self.currency, **wanted)
            intent._checkout = True
            self.payment_intent = intent.id
        intent = PaymentIntent._api_retrieve(self.payment_intent)
        intent.payment_method = method.id
        # Authentication is assumed: there is no bank to ask.
        confirm_it(intent, authenticated=True)
        self.payment_status = 'paid'

    def _keep(self, method):
        intent = SetupIntent._api_retrieve(self.setup_intent)
        attach(method.id, customer=self.customer)
        method._set_up = True
        intent.customer = self.customer
        intent.payment_method = method.id
        intent.status = 'succeeded'
        tell('setup_intent.succeeded', intent)


def _of(data, name, known):
    """A nested parameter."""
    inner = data.pop(name, None) or {}
    unexpected(f'{name}[{key}]' for key in inner if key not in known)
    return inner


def _total(lines):
    """Cents, currency and name of the `line_items`."""
    if not lines:
        raise Refused(400, 'A payment needs line_items.', 'parameter_missing', param='line_items')
    total, currencies, names = 0, set(), []
    for line in lines:
        try:
            price = line['price_data']
            currencies.add(price['currency'].lower())
            names.append(price['product_data']['name'])
            total += int(price['unit_amount']) * int(line['quantity'])
        except (KeyError, TypeError, ValueError):
            message = 'Each line needs price_data (currency, unit_amount, product_data[name]) and quantity.'
            raise Refused(400, message, 'parameter_missing', param='line_items') from None
    if len(currencies) != 1:
        raise Refused(400, 'All lines are in one currency.', param='line_items')
    return assert_amount(total, 'line_items'), currencies.pop(), ', '.join(names)


def _expiry(at):
    """Half an hour to a day from now; a day by default."""
    now = clock.now()
    if at is None:
        return int(now) + 24 * _HOUR
    # A second of grace for network latency.
    if not 30 * _MINUTE - 1 <= int(at) - now <= 24 * _HOUR + 1:
        raise Refused(400, 'expires_at lies between half an hour and a day from now.', param='expires_at')
    return int(at)


def _created(mode=None, customer=None, customer_email=None, customer_creation=None, **data):
    """https://docs.stripe.com/api/checkout/sessions/create"""
    if mode not in ('payment', 'setup'):
        raise Refused(400, 'mode must be payment or setup: the tests know no others.', param='mode')
    if customer is not None and (customer_email is not None or customer_creation is not None):
        raise Refused(400, 'You may only specify one of these parameters: customer, customer_email.', param='customer')
    if customer_creation not in (None, 'always', 'if_required'):
        raise Refused(400, f'Invalid customer_creation: {customer_creation}', param='customer_creation')
    if customer is not None:
        Customer._api_retrieve(customer)
    expires_at = _expiry(data.pop('expires_at', None))
    success_url, cancel_url = data.pop('success_url', None), data.pop('cancel_url', None)
    if not success_url:
        raise Refused(400, 'success_url is needed.', 'parameter_missing', param='success_url')
    lines = data.pop('line_items', None)
    for_intent = _of(data, 'payment_intent_data', _OF_PAYMENTS)
    for_setup = _of(data, 'setup_intent_data', _OF_SETUPS)
    if (mode == 'setup' and (lines or for_intent)) or (mode == 'payment' and for_setup):
        raise Refused(400, f'What belongs to another mode was given to mode {mode}.', param='mode')
    given = {name: data.pop(name, None) for name in ('client_reference_id', 'metadata', 'payment_method_types', 'currency')}
    unexpected(data.keys() - set(_OF_PAGES))
    total, currency, name = _total(lines) if mode == 'payment' else (None, given['currency'], None)
    given['currency'] = currency
    session = Session(mode, customer, customer_email, customer_creation, expires_at, success_url, cancel_url, given)
    session._name = name
    session.amount_subtotal = session.amount_total = total
    session._intent_data = for_intent
    if mode == 'setup':
        intent = SetupIntent(customer=customer, metadata=for_setup.get('metadata'))
        session.setup_intent = intent.id
        tell('setup_intent.created', intent)
    return session


def _expire(id):
    """https://docs.stripe.com/api/checkout/sessions/expire"""
    session = Session._api_retrieve(id)
    if session.status != 'open':
        message = (
            'Only Checkout Sessions with a status in ["open"] can be expired. '
            f'This Checkout Session has a status of {session.status}.'
        )
        raise Refused(400, message, began=True)
    session._expire()
    return session


async def expiry(_app):
    """Expires the sessions that are due, until the server stops."""

    async def look():
        while True:
            await asyncio.sleep(0.1)
            for thing in list(store.values()):
                if isinstance(thing, Session) and thing.status == 'open' and thing.expires_at <= clock.now():
                    thing._expire()

    task = asyncio.create_task(look())
    yield
    task.cancel()


route('GET', '/v1/checkout/sessions/{id}', Session._api_retrieve)
route('POST', '/v1/checkout/sessions/{id}/expire', _expire)
route('GET', '/v1/checkout/sessions', lambda **page: Session._api_list_all('/v1/checkout/sessions', **page))
route('POST', '/v1/checkout/sessions', _created)

