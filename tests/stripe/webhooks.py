"""Deliveries of events: https://docs.stripe.com/webhooks. localstripe's arrive a second late, once, and with a
signature of the event's own time.

They are registered as in localstripe: `POST /_config/webhooks/NAME` with `url` and `secret`. `DELETE` of the same ends
them, and `POST /_config/events/ID/resend` delivers an event again.
"""

import asyncio
import hashlib
import hmac
import json

import aiohttp
from aiohttp import web
from localstripe import resources
from localstripe.resources import Event
from localstripe.webhooks import _webhooks

import clock

# Seconds before each attempt. Stripe waits for minutes and hours.
_WAITS = (0, 1, 2, 4)
_PATIENCE = aiohttp.ClientTimeout(total=10)

_under_way = set()
_client = None


def tell(kind, thing):
    schedule(Event(kind, thing))


def schedule(event):
    payload = json.dumps(event._export(), indent=2, sort_keys=True).encode()
    for webhook in list(_webhooks.values()):
        if webhook.events is None or event.type in webhook.events:
            task = asyncio.get_running_loop().create_task(_deliver(webhook, payload))
            _under_way.add(task)
            task.add_done_callback(_under_way.discard)


async def _deliver(webhook, payload):
    for wait in _WAITS:
        await asyncio.sleep(wait)
        # A webhook that was removed, or given another address, gets no more events.
        if webhook not in _webhooks.values() or await _attempt(webhook, payload):
            return


async def _attempt(webhook, payload):
    headers = {
        'Content-Type': 'application/json; charset=utf-8',
        'User-Agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        'Stripe-Signature': signature(payload, webhook.secret),
    }
    try:
        async with _client.post(webhook.url, data=payload, headers=headers, allow_redirects=False) as answer:
            return 200 <= answer.status < 300
    except (aiohttp.ClientError, asyncio.TimeoutError):
        return False


def signature(payload, secret):
    """https://docs.stripe.com/webhooks/signature, with the time of sending."""
    at = int(clock.now())
    code = hmac.new(secret.encode(), b'%d.%s' % (at, payload), hashlib.sha256).hexdigest()
    return f't={at},v1={code}'


resources.schedule_webhook = schedule


async def client(_app):
    """Connections, until the server stops."""
    global _client
    async with aiohttp.ClientSession(timeout=_PATIENCE) as _client:
        yield


async def unregister(request):
    _webhooks.pop(request.match_info['id'], None)
    return web.Response()


async def resend(request):
    schedule(Event._api_retrieve(request.match_info['id']))
    return web.Response()
