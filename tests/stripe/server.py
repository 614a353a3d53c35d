"""The Stripe server of the tests: PyPI's localstripe, with additions that Stripe documents and it lacks.

    target/python/bin/python tests/stripe/server.py --port N     (0: any free port)

prints `Stripe is at http://127.0.0.1:N`, and ends when its standard input closes. Each module in this folder adds one
thing and says where Stripe documents it. localstripe (GPL-3.0-or-later) is installed by `scripts/setup test` and
imported here unmodified; the product contains nothing of it.
"""

import argparse

from aiohttp import web
from localstripe.errors import UserError
from localstripe.resources import Store

# Before localstripe's own routes: see routes.py.
import clock
import errors
import lists  # noqa: F401
import cards  # noqa: F401
import intents  # noqa: F401
import refunds  # noqa: F401
import checkout
import hosted
import idempotency
import webhooks
from lifetime import listen, serve

from localstripe import server as localstripe  # isort: skip

# Several servers run at once: none stores its objects in a file, because all would use the same one.
Store.dump_to_disk = lambda self: None


@web.middleware
async def authorised(request, handler):
    """https://docs.stripe.com/api/authentication: test keys only. The hosted page is public."""
    if request.path.startswith('/c/'):
        return await handler(request)
    if request.path.startswith('/v1/') and not (localstripe.get_api_key(request) or '').startswith('sk_test_'):
        raise UserError(401, 'Invalid API Key provided')
    return await localstripe.auth_middleware(request, handler)


def app():
    made = localstripe.app
    made.middlewares[:] = [errors.middleware, authorised, idempotency.middleware, errors.middleware]
    made.cleanup_ctx.append(webhooks.client)
    made.cleanup_ctx.append(checkout.expiry)
    made.router.add_get('/c/pay/{id}', hosted.show)
    made.router.add_post('/c/pay/{id}', hosted.pay)
    made.router.add_post('/_config/clock', clock.set_clock)
    made.router.add_post('/_config/latency', idempotency.set_latency)
    made.router.add_delete('/_config/webhooks/{id}', webhooks.unregister)
    made.router.add_post('/_config/events/{id}/resend', webhooks.resend)
    return made


if __name__ == '__main__':
    options = argparse.ArgumentParser(description='The Stripe server of the tests')
    options.add_argument('--port', type=int, required=True)
    listening, url = listen(options.parse_args().port)
    checkout.Session._server = url
    serve(app(), listening, f'Stripe is at {url}')
