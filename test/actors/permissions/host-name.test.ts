import { expect, test } from "vitest";
import { hostName } from "../../../src/actors/permissions/host-name.ts";

test.each([
  ["API.Example.com", "api.example.com"],
  ["example.com.", "example.com"],
  ["b\u00fccher.example", "xn--bcher-kva.example"],
  ["\uff45xample.com", "example.com"],
  ["127.1", "127.0.0.1"],
  ["0x7f000001", "127.0.0.1"],
  ["2130706433", "127.0.0.1"],
  ["[::FFFF:127.0.0.1]", "[::ffff:7f00:1]"],
])("%s is the host %s, however it is written", (given, host) => {
  expect(hostName(given)).toBe(host);
});

test.each(["", "a b", "http://a.org", "a.org/x", "a.org:80", "user@a.org", "a.org?x", "a%2eorg", "a\\b", 7, null])(
  "%j is no host alone",
  (given) => {
    expect(() => hostName(given)).toThrow(/expected a host name or address/u);
  },
);
