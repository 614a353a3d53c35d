import type { APIRequestContext } from '@playwright/test';

interface Mailbox {
  props: { mails: { to: string; subject: string; text: string }[] };
}

/** The mails that the development run kept for an address, newest first. */
export async function mailsTo(request: APIRequestContext, address: string) {
  const answer = await request.get('/mailbox', { headers: { Accept: 'application/json' } });
  const { props } = (await answer.json()) as Mailbox;
  return props.mails.filter((mail) => mail.to === address);
}

/** The first link of the newest mail to an address, without its host. */
export async function linkTo(request: APIRequestContext, address: string): Promise<string> {
  const [mail] = await mailsTo(request, address);
  const link = mail?.text.match(/https?:\/\/[^/\s]+(\/\S+)/)?.[1];
  if (!link) throw new Error(`No link was mailed to ${address}`);
  return link;
}
