"""The page that a Checkout Session's `url` leads to: https://docs.stripe.com/payments/checkout

A form without JavaScript that accepts the cards of https://docs.stripe.com/testing.
"""

import re
from html import escape

from aiohttp import web
from localstripe.errors import UserError
from localstripe.resources import PaymentMethod

from cards import INCORRECT_NUMBER
from checkout import Session

_STYLE = """
body { margin: 0; background: #fff; color: #1a1a1a; font: 1rem/1.5 system-ui, sans-serif }
main { max-width: 24rem; margin: 2rem auto; padding: 0 1rem }
label { display: block; margin-top: 1rem }
input { box-sizing: border-box; width: 100%; padding: .5rem; font: inherit; border: 1px solid #6b6b6b }
button { width: 100%; min-height: 3rem; margin: 1.5rem 0; font: inherit; color: #fff; background: #3b34a8; border: 0 }
a { color: #3b34a8 }
[role=alert] { padding: .75rem; border: 2px solid #a11212; color: #a11212 }
"""

_FIELDS = (
    ('cardNumber', 'Card number', 'cc-number'),
    ('cardExpiry', 'Expiry (MM / YY)', 'cc-exp'),
    ('cardCvc', 'CVC', 'cc-csc'),
)


def _page(title, body, status=200):
    text = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{escape(title)}</title><style>{_STYLE}</style></head>'
        f'<body><main><h1>{escape(title)}</h1>{body}</main></body></html>'
    )
    return web.Response(text=text, content_type='text/html', status=status, headers={'Cache-Control': 'no-store'})


def _over(session, status):
    title = 'This payment is complete' if session.status == 'complete' else 'This page has expired'
    if session.status == 'complete' and session.mode == 'setup':
        title = 'This card is saved'
    return _page(title, _back(session), status)


def _back(session):
    return f'<p><a href="{escape(session.cancel_url)}">Back</a></p>' if session.cancel_url else ''


def _form(session, error=None):
    act = f'Pay ${session.amount_total / 100:,.2f}' if session.mode == 'payment' else 'Save card'
    alert = f'<p role="alert">{escape(error)}</p>' if error else ''
    what = f'<p>{escape(session._name)}</p>' if session._name else ''
    fields = ''.join(
        f'<label for="{name}">{label}</label>'
        f'<input id="{name}" name="{name}" autocomplete="{kind}" inputmode="numeric" required>'
        for name, label, kind in _FIELDS
    )
    form = f'<form method="post">{fields}<button>{act}</button></form>'
    return _page('Pay by card' if session.mode == 'payment' else 'Save a card', what + alert + form + _back(session))


def _method(fields):
    """The card that was typed; raises an error if the number is invalid."""
    number = re.sub(r'\s', '', fields.get('cardNumber', ''))
    expiry = re.fullmatch(r'\s*(\d\d)\s*/?\s*(\d\d)\s*', fields.get('cardExpiry', ''))
    cvc = fields.get('cardCvc', '').strip()
    if not re.fullmatch(r'\d{16}', number) or number == INCORRECT_NUMBER:
        raise UserError(402, 'Your card number is incorrect.')
    if expiry is None or not 1 <= int(expiry[1]) <= 12:
        raise UserError(402, "Your card's expiration date is incomplete.")
    if not re.fullmatch(r'\d{3}', cvc):
        raise UserError(402, "Your card's security code is incomplete.")
    card = {'number': number, 'exp_month': int(expiry[1]), 'exp_year': int(expiry[2]), 'cvc': cvc}
    return PaymentMethod(type='card', card=card)


async def show(request):
    session = Session._api_retrieve(request.match_info['id'])
    return _form(session) if session.status == 'open' else _over(session, 200)


async def pay(request):
    fields = await request.post()
    # Nothing is awaited from here on, so that the second of two posts finds the session complete.
    session = Session._api_retrieve(request.match_info['id'])
    if session.status != 'open':
        return _over(session, 409)
    try:
        session._pay(_method(fields))
    except UserError as error:
        if error.code != 402:
            raise
        return _form(session, error.body['error']['message'])
    place = session.success_url.replace('{CHECKOUT_SESSION_ID}', session.id)
    return web.Response(status=303, headers={'Location': place})
