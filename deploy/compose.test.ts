import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

interface Service {
  image?: string;
  environment?: Record<string, unknown>;
  network_mode?: string;
  ports?: string[];
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  stop_grace_period?: string;
  healthcheck?: object;
}
interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
}

const SETTINGS = new Set([...read('src/config.rs').matchAll(/env = "(\w+)"/g)].map(([, name]) => name!));
/** Settings that every S3 client knows. */
const AWS = ['AWS_ENDPOINT_URL', 'AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
const haproxy = read('deploy/haproxy.cfg');

describe.each(['compose.yaml', 'compose.scaled.yaml'])('%s', (file) => {
  const { services, volumes }: Compose = parse(read(file), { merge: true });
  const products = Object.values(services).filter((service) => service.image === undefined);

  test('each setting of the product is one', () => {
    expect(products.length).toBeGreaterThan(0);
    for (const { environment } of products) {
      for (const name of Object.keys(environment ?? {})) expect([...SETTINGS, ...AWS]).toContain(name);
    }
  });

  test('what a service needs is there', () => {
    for (const { depends_on, network_mode, volumes: mounts = [] } of Object.values(services)) {
      for (const [name, { condition }] of Object.entries(depends_on ?? {})) {
        expect(services).toHaveProperty(name);
        if (condition === 'service_healthy') expect(services[name]!.healthcheck).toBeDefined();
      }
      if (network_mode !== undefined) expect(services).toHaveProperty(network_mode.replace('service:', ''));
      for (const [source] of mounts.map((mount) => mount.split(':') as [string])) {
        if (source.startsWith('./')) expect(read(source)).not.toBe('');
        else expect(volumes).toHaveProperty(source);
      }
    }
  });

  test('what is served is reached from this machine alone', () => {
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    expect(ports).toEqual(['127.0.0.1:8080:8080']);
  });

  test('a process may finish what it does', () => {
    for (const { environment, stop_grace_period } of products) {
      const drain = Number(environment?.MATRICULA_DRAIN_SECONDS ?? 0);
      expect(stop_grace_period).toBe(`${drain + 45}s`);
    }
  });
});

describe('the processes behind a balancer', () => {
  const { services }: Compose = parse(read('compose.scaled.yaml'), { merge: true });
  const named = new Map(
    [...haproxy.matchAll(/^\s*server (\w+) (\S+)/gm)].map(([, name, address]) => [name!, address!]),
  );

  test('each listens where HAProxy looks for it', () => {
    const products = Object.entries(services).filter(([, service]) => service.image === undefined);
    const bound = new Map(products.map(([name, { environment }]) => [name, environment!.MATRICULA_BIND]));
    expect(bound).toEqual(named);
    expect(new Set(products.map(([, service]) => service.network_mode))).toEqual(
      new Set(['service:balancer']),
    );
    expect(haproxy).toContain('bind :8080');
  });

  test('they drain for longer than HAProxy needs to find out, and trust what it says of visitors', () => {
    const interval = Number(/check inter (\d+)s fall 1/.exec(haproxy)![1]);
    for (const name of named.keys()) {
      const { MATRICULA_DRAIN_SECONDS, MATRICULA_TRUSTED_PROXIES } = services[name]!.environment!;
      expect(MATRICULA_DRAIN_SECONDS).toBeGreaterThanOrEqual(3 * interval);
      expect(MATRICULA_TRUSTED_PROXIES).toContain('127.0.0.1');
    }
    expect(haproxy).toContain('option forwardfor');
  });

  test('documents go into the bucket that is there', () => {
    const garage = read('deploy/garage.toml');
    const port = /^api_bind_addr = ".*:(\d+)"$/m.exec(garage)![1];
    const region = /^s3_region = "(\w+)"$/m.exec(garage)![1];
    const { environment: storage } = services.storage!;
    for (const name of named.keys()) {
      expect(services[name]!.environment).toMatchObject({
        STORAGE_URL: `s3://${storage!.GARAGE_DEFAULT_BUCKET}`,
        AWS_ENDPOINT_URL: `http://storage:${port}`,
        AWS_REGION: region,
        AWS_ACCESS_KEY_ID: storage!.GARAGE_DEFAULT_ACCESS_KEY,
        AWS_SECRET_ACCESS_KEY: storage!.GARAGE_DEFAULT_SECRET_KEY,
      });
    }
  });

  test('all of them share one secret and one database', () => {
    const each = [...named.keys()].map((name) => services[name]!.environment!);
    expect(new Set(each.map((environment) => environment.DATABASE_URL)).size).toBe(1);
    expect(new Set(each.map((environment) => environment.MATRICULA_SECRET))).toEqual(
      new Set(['${MATRICULA_SECRET:?set it in .env}']),
    );
  });
});
