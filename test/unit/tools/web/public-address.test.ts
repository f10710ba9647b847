import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { isLocalName, isPrivateAddress, isPublicAddress } from '../../../../extension/tools/web/public-address.ts';

const PUBLIC = ['8.8.8.8', '1.1.1.1', '142.250.74.78', '2606:4700:4700::1111', '2a00:1450:4001:80b::200e'];
/** The same hosts as they appear behind NAT64 or on a dual-stack socket. */
const PUBLIC_IN_IPV6 = ['64:ff9b::8.8.8.8', '::ffff:8.8.8.8'];

const NOT_PUBLIC: readonly [what: string, ...addresses: readonly string[]][] = [
  ['this machine', '127.0.0.1', '127.255.255.254', '::1', '0.0.0.0', '0.1.2.3', '::'],
  ['private networks', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12:3456::1', 'fec0::1'],
  ['the local link', '169.254.1.1', 'fe80::1', 'fe80::1%eth0'],
  ['metadata services', '169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '192.0.0.192', '168.63.129.16'],
  ['carriers', '100.64.0.1', '100.127.255.255'],
  ['many receivers', '224.0.0.1', '239.255.255.250', 'ff02::1', '255.255.255.255'],
  ['measurements', '198.18.0.1', '198.19.255.255', '2001:2::1'],
  ['documentation', '192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  ['the future', '240.0.0.1', '4000::1', '5f00::1', '8000::1'],
  ['IPv4 inside IPv6', '::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '::127.0.0.1', '::ffff:0:127.0.0.1'],
  ['NAT64', '64:ff9b::127.0.0.1', '64:ff9b::10.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::8.8.8.8'],
  ['6to4 and Teredo', '2002:7f00:1::', '2002:c0a8:101::1', '2002:808:808::1', '2001:0:7f00:1::1', '2001::1'],
  ['nothing', '', 'localhost', 'example.com', '1.2.3.4.5', '::g'],
];

describe("Addresses of one's own network", () => {
  it('are neither public nor of this machine, the link, a carrier or a metadata service', () => {
    const all = [...PUBLIC, ...PUBLIC_IN_IPV6, ...NOT_PUBLIC.flatMap(([, ...addresses]) => addresses)];
    assert.deepEqual([...all, '::ffff:10.0.0.1'].filter(isPrivateAddress), [
      '10.0.0.1',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      'fc00::1',
      'fd12:3456::1',
      '::ffff:10.0.0.1',
    ]);
  });
});

describe('Public addresses', () => {
  for (const address of [...PUBLIC, ...PUBLIC_IN_IPV6]) {
    it(`include ${address}`, () => assert.equal(isPublicAddress(address), true));
  }

  for (const [what, ...addresses] of NOT_PUBLIC) {
    it(`are not those of ${what}`, () => assert.deepEqual(addresses.filter(isPublicAddress), []));
  }

  it('are judged alike as IPv4, mapped into IPv6 and behind NAT64', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const isPublic = isPublicAddress(address);
        assert.equal(isPublicAddress(`::ffff:${address}`), isPublic);
        assert.equal(isPublicAddress(`64:ff9b::${address}`), isPublic);
      }),
    );
  });
});

describe('Local names', () => {
  const cases: readonly [name: string, isLocal: boolean][] = [
    ['localhost', true],
    ['LOCALHOST', true],
    ['localhost.', true],
    ['app.localhost', true],
    ['printer.local', true],
    ['printer.local..', true],
    ['metadata.google.internal', true],
    ['router.home.arpa', true],
    ['intranet', true],
    ['com.', true],
    ['', true],
    ['example.com', false],
    ['localhost.example.com', false],
    ['notlocal.com', false],
    ['my-internal.com', false],
    ['xn--mnchen-3ya.de', false],
  ];
  for (const [name, isLocal] of cases) {
    it(`${isLocal ? 'include' : 'do not include'} "${name}"`, () => assert.equal(isLocalName(name), isLocal));
  }
});
