import { createServer, type IncomingHttpHeaders, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The body of a delivery. */
export interface WebhookEvent {
  type: string;
  data: { applicationId: string; reference: string } & Record<string, unknown>;
}

/** A program of the institute, which answers as it is told. */
export class Receiver {
  readonly received: { headers: IncomingHttpHeaders; body: string }[] = [];
  status = 204;

  private constructor(private readonly http: HttpServer) {}

  static async start(): Promise<Receiver> {
    const receiver = new Receiver(
      createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          receiver.received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
          response
            .writeHead(receiver.status)
            .end(receiver.status === 204 ? undefined : 'closed for the night');
        });
      }),
    );
    await new Promise<void>((listening) => receiver.http.listen(0, '127.0.0.1', listening));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}/admissions`;
  }

  /** What it was told, each event once: a delivery that was cut off is sent again. */
  get events(): WebhookEvent[] {
    const byId = new Map(this.received.map(({ headers, body }) => [headers['webhook-id'], body]));
    return [...byId.values()].map((body) => JSON.parse(body) as WebhookEvent);
  }

  stop(): void {
    this.http.closeAllConnections();
    this.http.close();
  }
}
