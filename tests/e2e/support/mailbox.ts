import type { APIRequestContext } from '@playwright/test';

interface Mailbox {
  props: { mails: { to: string; subject: string; text: string }[] };
}

/** Returns the mails that the development run has kept for an address, newest first. */
export async function mailsTo(request: APIRequestContext, address: string) {
  const answer = await request.get('/mailbox', { headers: { Accept: 'application/json' } });
  const { props } = (await answer.json()) as Mailbox;
  return props.mails.filter((mail) => mail.to === address);
}

/** Returns the first link with a secret in the newest mail to an address that has one, without its host. */
export async function linkTo(request: APIRequestContext, address: string): Promise<string> {
  const links = (await mailsTo(request, address)).map(
    ({ text }) => text.match(/https?:\/\/[^/\s]+(\/\S+\?token=\S+)/)?.[1],
  );
  const link = links.find((found) => found !== undefined);
  if (!link) throw new Error(`No link was mailed to ${address}`);
  return link;
}
