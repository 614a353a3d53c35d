"""What the product's tests rely on in the Stripe server and the proxy in front of it.

    target/python/bin/python -m unittest discover -s tests/stripe
"""

import hashlib
import hmac
import json
import subprocess
import sys
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, RemoteDisconnected
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from urllib.parse import urlencode, urlsplit

FOLDER = Path(__file__).parent
GOOD, DECLINED, FAILS_LATER, AUTHENTICATES = '4242424242424242', '4000000000000002', '4000000000000341', '4000002760003184'
SECRET = 'whsec_test'


class Program:
    """One of the two programs, ended as when a test run is killed: by closing its standard input."""

    def __init__(self, name, *more):
        command = [sys.executable, FOLDER / name, '--port', '0', *more]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().split()[-1]

    def end(self):
        self.process.stdin.close()
        code = self.process.wait(5)
        self.process.stdout.close()
        return code


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.text = response.read().decode()

    @property
    def json(self):
        return json.loads(self.text)

    @property
    def error(self):
        return self.json['error']


def ask(url, method, path, data=None, key=None, **headers):
    place = urlsplit(url)
    connection = HTTPConnection(place.hostname, place.port, timeout=10)
    headers['Authorization'] = headers.get('Authorization', 'Bearer sk_test_demo')
    if key is not None:
        headers['Idempotency-Key'] = key
    body = None
    if isinstance(data, dict):
        body, headers['Content-Type'] = urlencode(data), 'application/x-www-form-urlencoded'
    elif data is not None:
        body, headers['Content-Type'] = data, 'application/json'
    try:
        connection.request(method, path, body, headers)
        return Answer(connection.getresponse())
    finally:
        connection.close()


class Story(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stripe = Program('server.py')
        cls.addClassCleanup(cls.stripe.end)

    def post(self, path, data=None, **more):
        return ask(self.stripe.url, 'POST', path, data or {}, **more)

    def get(self, path):
        return ask(self.stripe.url, 'GET', path)

    def customer(self):
        return self.post('/v1/customers', {'email': 'demo@example.org'}).json['id']

    def intent(self, key=None, **more):
        return self.post('/v1/payment_intents', {'amount': 120000, 'currency': 'usd', **more}, key=key)

    def session(self, **more):
        wanted = {
            'mode': 'payment',
            'line_items[0][price_data][currency]': 'usd',
            'line_items[0][price_data][unit_amount]': 120000,
            'line_items[0][price_data][product_data][name]': 'Instalment 1',
            'line_items[0][quantity]': 1,
            'payment_intent_data[metadata][line]': 'instalment-1',
            'payment_intent_data[setup_future_usage]': 'off_session',
            'payment_method_types[0]': 'card',
            'success_url': 'http://example.org/paid?session={CHECKOUT_SESSION_ID}',
            'cancel_url': 'http://example.org/back',
            **more,
        }
        answer = self.post('/v1/checkout/sessions', wanted)
        self.assertEqual(answer.status, 200, answer.text)
        return answer.json

    def setup(self, customer):
        wanted = {
            'mode': 'setup',
            'currency': 'usd',
            'customer': customer,
            'setup_intent_data[metadata][application]': 'a',
            'success_url': 'http://example.org/saved',
        }
        return self.post('/v1/checkout/sessions', wanted).json

    def pay(self, session, card):
        fields = {'cardNumber': card, 'cardExpiry': '12 / 34', 'cardCvc': '123'}
        return self.post(urlsplit(session['url']).path, fields)

    def events(self, kind):
        return self.get('/v1/events?limit=100&type=' + kind).json['data']


class Keys(Story):
    def test_the_first_answer_is_given_again_and_nothing_done_twice(self):
        first, second = (self.intent(key='a') for _ in range(2))
        self.assertEqual((first.status, first.text), (second.status, second.text))
        self.assertIsNone(first.headers['Idempotent-Replayed'])
        self.assertEqual(second.headers['Idempotent-Replayed'], 'true')
        self.assertNotEqual(self.intent(key='b').json['id'], first.json['id'])

    def test_other_parameters_or_another_call_are_refused(self):
        self.intent(key='c')
        for other in (self.intent(key='c', description='x'), self.post('/v1/customers', key='c')):
            self.assertEqual((other.status, other.error['type']), (400, 'idempotency_error'))

    def test_a_declined_card_is_kept_and_a_bad_request_is_not(self):
        declined = [self.intent(key='d', payment_method='pm_card_chargeDeclined', confirm='true') for _ in range(2)]
        self.assertEqual([answer.status for answer in declined], [402, 402])
        self.assertEqual(declined[0].text, declined[1].text)
        self.assertEqual(self.intent(key='e', customer='cus_nobody').status, 404)
        self.assertEqual(self.intent(key='e').status, 200)

    def test_a_second_request_meets_the_first_under_way(self):
        self.post('/_config/latency', {'ms': 300})
        try:
            with ThreadPoolExecutor() as pool:
                answers = list(pool.map(lambda _: self.intent(key='f'), range(2)))
        finally:
            self.post('/_config/latency', {'ms': 0})
        refused = next(answer for answer in answers if answer.status != 200)
        self.assertEqual((refused.status, refused.error['code']), (409, 'idempotency_key_in_use'))
        self.assertEqual(self.intent(key='f').headers['Idempotent-Replayed'], 'true')


class Checkout(Story):
    def test_a_page_is_paid_once_whatever_comes_together(self):
        session = self.session(customer=self.customer())
        self.assertIn('Pay $1,200.00', ask(self.stripe.url, 'GET', urlsplit(session['url']).path).text)
        with ThreadPoolExecutor() as pool:
            answers = list(pool.map(lambda _: self.pay(session, GOOD), range(3)))
        self.assertEqual(sorted(answer.status for answer in answers), [303, 409, 409])
        paid = next(answer for answer in answers if answer.status == 303)
        self.assertEqual(paid.headers['Location'], 'http://example.org/paid?session=' + session['id'])
        expand = '?expand[]=payment_intent.payment_method'
        session = self.get(f'/v1/checkout/sessions/{session["id"]}{expand}').json
        intent = session['payment_intent']
        self.assertEqual((session['status'], session['payment_status'], session['url']), ('complete', 'paid', None))
        self.assertEqual((intent['status'], intent['amount_received']), ('succeeded', 120000))
        self.assertEqual(intent['metadata'], {'line': 'instalment-1'})
        self.assertEqual(intent['payment_method']['card']['last4'], '4242')
        self.assertEqual(intent['payment_method']['customer'], session['customer'])
        charges = self.get('/v1/charges?payment_intent=' + intent['id']).json['data']
        self.assertEqual([charge['id'] for charge in charges], [intent['latest_charge']])
        told = [event['data']['object']['id'] for event in self.events('checkout.session.completed')]
        self.assertEqual(told.count(session['id']), 1)
        self.assertEqual(self.post(f'/v1/checkout/sessions/{session["id"]}/expire').status, 400)

    def test_a_declined_card_shows_the_page_again_and_the_next_pays(self):
        session = self.session(customer_email='demo@example.org')
        for card in (DECLINED, FAILS_LATER):
            page = self.pay(session, card)
            self.assertEqual(page.status, 200)
            self.assertIn('<p role="alert">Your card was declined.</p>', page.text)
        self.assertEqual(self.pay(session, GOOD).status, 303)
        session = self.get('/v1/checkout/sessions/' + session['id']).json
        failed = [event['data']['object']['id'] for event in self.events('payment_intent.payment_failed')]
        self.assertEqual(failed.count(session['payment_intent']), 2)
        self.assertEqual(self.get('/v1/customers/' + session['customer']).json['email'], 'demo@example.org')

    def test_an_expired_page_takes_no_money(self):
        session = self.session()
        self.pay(session, DECLINED)
        expired = self.post(f'/v1/checkout/sessions/{session["id"]}/expire')
        self.assertEqual((expired.json['status'], expired.json['url']), ('expired', None))
        self.assertEqual(self.pay(session, GOOD).status, 409)
        self.assertIn('This page has expired', ask(self.stripe.url, 'GET', urlsplit(session['url']).path).text)
        intent = self.get('/v1/payment_intents/' + expired.json['payment_intent']).json
        self.assertEqual(intent['status'], 'canceled')

    def test_a_page_expires_by_itself(self):
        session = self.session(expires_at=int(time.time()) + 1800)
        self.post('/_config/clock', {'now': time.time() + 1801})
        try:
            for _ in range(50):
                status = self.get('/v1/checkout/sessions/' + session['id']).json['status']
                if status == 'expired':
                    break
                time.sleep(0.05)
            self.assertEqual(status, 'expired')
        finally:
            self.post('/_config/clock', {'now': time.time()})
        soon = {'mode': 'setup', 'success_url': 'http://example.org', 'expires_at': int(time.time()) + 60}
        self.assertEqual(self.post('/v1/checkout/sessions', soon).status, 400)

    def test_a_card_is_kept_and_charged_later(self):
        customer = self.customer()
        session = self.setup(customer)
        self.assertIn('declined', self.pay(session, DECLINED).text)
        self.assertEqual(self.pay(session, GOOD).status, 303)
        session = self.get(f'/v1/checkout/sessions/{session["id"]}?expand[]=setup_intent.payment_method').json
        intent, method = session['setup_intent'], session['setup_intent']['payment_method']
        self.assertEqual((session['payment_status'], intent['metadata']), ('no_payment_required', {'application': 'a'}))
        later = {'customer': customer, 'payment_method': method['id'], 'confirm': 'true', 'off_session': 'true'}
        self.assertEqual(self.intent(**later).json['status'], 'succeeded')
        self.assertEqual(self.post(f'/v1/payment_methods/{method["id"]}/detach').status, 200)
        self.assertEqual(self.intent(**later).error['code'], 'payment_method_unexpected_state')


class Intents(Story):
    def test_a_declined_intent_is_tried_again_with_another_card(self):
        customer = self.customer()
        fails = self.post('/v1/payment_methods/pm_card_chargeCustomerFail/attach', {'customer': customer}).json['id']
        intent = self.intent(customer=customer, payment_method=fails, description='x').json
        self.assertEqual(intent['status'], 'requires_confirmation')
        confirm = f'/v1/payment_intents/{intent["id"]}/confirm'
        refused = self.post(confirm, {'off_session': 'true'})
        self.assertEqual((refused.status, refused.error['type']), (402, 'card_error'))
        self.assertEqual((refused.error['code'], refused.error['decline_code']), ('card_declined', 'generic_decline'))
        self.assertEqual(refused.error['payment_intent']['status'], 'requires_payment_method')
        self.assertEqual(refused.error['payment_intent']['last_payment_error']['payment_method']['id'], fails)
        self.assertEqual(self.post(confirm).error['code'], 'payment_intent_unexpected_state')
        changed = self.post(f'/v1/payment_intents/{intent["id"]}', {'payment_method': 'pm_card_visa', 'metadata[a]': 'b'})
        self.assertEqual((changed.json['status'], changed.json['metadata']), ('requires_confirmation', {'a': 'b'}))
        self.assertEqual(self.post(confirm).json['status'], 'succeeded')
        again = self.post(confirm)
        self.assertEqual((again.status, again.error['code']), (400, 'payment_intent_unexpected_state'))
        self.assertEqual(again.error['payment_intent']['id'], intent['id'])

    def test_a_bank_wants_to_see_the_cardholder(self):
        customer = self.customer()
        session = self.setup(customer)
        self.pay(session, AUTHENTICATES)
        method = self.get(f'/v1/customers/{customer}/payment_methods').json['data'][0]['id']
        later = {'customer': customer, 'payment_method': method, 'confirm': 'true', 'off_session': 'true'}
        refused = self.intent(**later)
        self.assertEqual((refused.status, refused.error['code']), (402, 'authentication_required'))
        self.assertEqual(refused.error['decline_code'], 'authentication_required')
        there = self.intent(payment_method=method, customer=customer, confirm='true').json
        self.assertEqual(there['status'], 'requires_action')

    def test_an_intent_is_cancelled_before_it_is_paid_and_not_after(self):
        intent = self.intent().json['id']
        self.assertEqual(self.post(f'/v1/payment_intents/{intent}/cancel').json['status'], 'canceled')
        again = self.post(f'/v1/payment_intents/{intent}/cancel')
        self.assertEqual((again.status, again.error['code']), (400, 'payment_intent_unexpected_state'))

    def test_nobody_is_told_anything_without_a_key_of_tests(self):
        for key in ('Bearer sk_live_demo', 'Bearer pk_test_demo', ''):
            answer = ask(self.stripe.url, 'GET', '/v1/events', Authorization=key)
            self.assertEqual((answer.status, answer.error['type']), (401, 'invalid_request_error'))
        self.assertEqual(self.get('/v1/payment_intents/pi_x').error['code'], 'resource_missing')
        self.assertEqual(self.get('/v1/nothing').status, 404)


class Refunds(Story):
    def test_no_more_goes_back_than_came(self):
        intent = self.intent(payment_method='pm_card_visa', confirm='true').json['id']
        part = self.post('/v1/refunds', {'payment_intent': intent, 'amount': 50000, 'metadata[a]': 'b'}).json
        self.assertEqual((part['amount'], part['status'], part['metadata']), (50000, 'succeeded', {'a': 'b'}))
        more = self.post('/v1/refunds', {'payment_intent': intent, 'amount': 70001})
        self.assertEqual((more.status, more.error['param']), (400, 'amount'))
        self.assertEqual(self.post('/v1/refunds', {'payment_intent': intent}).json['amount'], 70000)
        again = self.post('/v1/refunds', {'payment_intent': intent, 'amount': 1})
        self.assertEqual((again.status, again.error['code']), (400, 'charge_already_refunded'))
        listed = self.get('/v1/refunds?payment_intent=' + intent).json['data']
        self.assertEqual([refund['amount'] for refund in listed], [70000, 50000])
        self.assertEqual([len(self.events(kind)) for kind in ('refund.created', 'charge.refunded')], [2, 2])
        unpaid = self.intent().json['id']
        self.assertEqual(self.post('/v1/refunds', {'payment_intent': unpaid}).status, 400)
        self.assertEqual(self.get('/v1/refunds?payment_intent=' + unpaid).json['data'], [])


class Events(Story):
    def test_they_are_listed_newest_first_page_by_page(self):
        start = int(time.time())
        names = [self.customer() for _ in range(5)]
        path = f'/v1/events?type=customer.created&created[gte]={start}&limit=2'
        found, page = [], self.get(path).json
        while True:
            found += [event['data']['object']['id'] for event in page['data']]
            if not page['has_more']:
                break
            page = self.get(f'{path}&starting_after={page["data"][-1]["id"]}').json
        self.assertEqual(found, names[::-1])
        self.assertEqual(self.get(f'/v1/events?created[gte]={start + 3600}').json['data'], [])
        self.assertEqual(self.get('/v1/events?starting_after=evt_x').status, 400)

    def test_a_delivery_is_signed_and_repeated_until_it_is_taken(self):
        heard, answers = Queue(), [500, 200]

        class Listener(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers['Content-Length']))
                heard.put((time.time(), self.headers['Stripe-Signature'], body))
                self.send_response(answers.pop(0))
                self.end_headers()

            def log_message(self, *_):
                pass

        listener = ThreadingHTTPServer(('127.0.0.1', 0), Listener)
        threading.Thread(target=listener.serve_forever, daemon=True).start()
        self.addCleanup(listener.server_close)
        self.addCleanup(listener.shutdown)
        url = f'http://127.0.0.1:{listener.server_port}/'
        self.post('/_config/webhooks/demo', {'url': url, 'secret': SECRET})
        self.addCleanup(ask, self.stripe.url, 'DELETE', '/_config/webhooks/demo')
        asked, customer = time.time(), self.customer()
        deliveries = [heard.get(timeout=5) for _ in range(2)]
        self.assertLess(deliveries[0][0] - asked, 0.5)
        self.assertGreater(deliveries[1][0] - deliveries[0][0], 0.9)
        self.assertEqual(deliveries[0][2], deliveries[1][2])
        for came, signature, body in deliveries:
            at, code = (part.split('=')[1] for part in signature.split(','))
            self.assertLessEqual(abs(came - int(at)), 1.5)
            made = hmac.new(SECRET.encode(), at.encode() + b'.' + body, hashlib.sha256).hexdigest()
            self.assertEqual(code, made)
            event = json.loads(body)
            self.assertEqual((event['type'], event['data']['object']['id']), ('customer.created', customer))


class Faults(Story):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.proxy = Program('faults.py', '--to', cls.stripe.url)
        cls.addClassCleanup(cls.proxy.end)

    def tearDown(self):
        self.assertEqual(ask(self.proxy.url, 'DELETE', '/_faults').status, 204)

    def rule(self, act, **more):
        answer = ask(self.proxy.url, 'POST', '/_faults', json.dumps({'act': act, 'path': '/v1/customers', **more}))
        self.assertEqual(answer.status, 204, answer.text)

    def through(self, key=None):
        return ask(self.proxy.url, 'POST', '/v1/customers', {'email': 'demo@example.org'}, key=key)

    def made(self):
        return self.get('/v1/customers?limit=100').json['total_count']

    def test_what_no_rule_is_for_passes_unchanged(self):
        direct = ask(self.stripe.url, 'GET', '/v1/payment_intents/pi_x?expand[]=customer')
        passed = ask(self.proxy.url, 'GET', '/v1/payment_intents/pi_x?expand[]=customer')
        self.assertEqual((direct.status, direct.text), (passed.status, passed.text))
        self.assertEqual(direct.headers['Content-Type'], passed.headers['Content-Type'])
        self.assertEqual(self.through().json['email'], 'demo@example.org')
        log = ask(self.proxy.url, 'GET', '/_faults').json
        self.assertEqual(log[1], {'method': 'POST', 'path': '/v1/customers', 'act': None})
        self.assertEqual(ask(self.proxy.url, 'POST', '/_faults', '{"act": "sing"}').status, 400)

    def test_a_request_gets_lost_and_an_answer_does(self):
        before = self.made()
        self.rule('drop', method='POST')
        with self.assertRaises((RemoteDisconnected, ConnectionResetError)):
            self.through()
        self.assertEqual(self.made(), before)
        self.rule('drop_answer')
        with self.assertRaises((RemoteDisconnected, ConnectionResetError)):
            self.through(key='lost')
        self.assertEqual(self.made(), before + 1)
        self.assertEqual(self.through(key='lost').headers['Idempotent-Replayed'], 'true')
        self.assertEqual(self.made(), before + 1)

    def test_a_request_comes_late_or_twice(self):
        before = self.made()
        self.rule('duplicate')
        self.rule('delay', ms=200)
        self.assertEqual(self.through().status, 200)
        self.assertEqual(self.made(), before + 2)
        start = time.monotonic()
        self.through()
        self.assertGreater(time.monotonic() - start, 0.2)
        self.rule('duplicate')
        self.assertEqual(self.through(key='twice').headers['Idempotent-Replayed'], 'true')
        self.assertEqual(self.made(), before + 4)

    def test_whoever_asks_is_killed_before_or_after(self):
        for act, more in (('kill', 0), ('kill_after', 1)):
            before = self.made()
            victim = subprocess.Popen(['sleep', '60'])
            self.rule(act, pid=victim.pid)
            with self.assertRaises((RemoteDisconnected, ConnectionResetError)):
                self.through()
            self.assertEqual(victim.wait(5), -9)
            self.assertEqual(self.made(), before + more, act)


class Ends(unittest.TestCase):
    def test_with_its_standard_input(self):
        self.assertEqual(Program('server.py').end(), 0)


if __name__ == '__main__':
    unittest.main()
