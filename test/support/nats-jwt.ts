import { nkeys } from "@nats-io/nats-core";

type KeyPair = ReturnType<typeof nkeys.createUser>;

const utf8 = new TextEncoder();
const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString("base64url");

/** A token in the form of NATS: who it is for, signed by whoever grants it. */
function sign(signer: KeyPair, claims: { sub: string; name: string; nats: object; exp?: number }): string {
  const issued = {
    jti: `${claims.name}-1`,
    iat: Math.floor(Date.now() / 1_000),
    iss: signer.getPublicKey(),
    ...claims,
  };
  const head = base64url(JSON.stringify({ typ: "JWT", alg: "ed25519-nkey" }));
  const text = `${head}.${base64url(JSON.stringify(issued))}`;
  return `${text}.${base64url(signer.sign(utf8.encode(text)))}`;
}

const unlimited = { subs: -1, data: -1, payload: -1 };
const accountLimits = {
  ...unlimited,
  imports: -1,
  exports: -1,
  wildcards: true,
  conn: -1,
  leaf: -1,
  mem_storage: -1,
  disk_storage: -1,
  streams: -1,
  consumer: -1,
};

/** An operator with the server's own account, another one, and one user of that: what the server is told, and the user's file. */
export function jwtParts(): { readonly config: string; readonly credentials: string } {
  const [operator, user] = [nkeys.createOperator(), nkeys.createUser()];
  const [system, account] = [nkeys.createAccount(), nkeys.createAccount()];
  const named = (pair: KeyPair) => pair.getPublicKey();
  const operatorJwt = sign(operator, { sub: named(operator), name: "op", nats: { type: "operator", version: 2 } });
  const accountOf = (pair: KeyPair, name: string): string => {
    const limits = name === "system" ? { ...accountLimits, mem_storage: 0, disk_storage: 0 } : accountLimits;
    const nats = { limits, default_permissions: { pub: {}, sub: {} }, type: "account", version: 2 };
    return `${named(pair)}: ${sign(operator, { sub: named(pair), name, nats })}`;
  };
  const userJwt = sign(account, {
    sub: named(user),
    name: "node",
    nats: { pub: {}, sub: {}, ...unlimited, type: "user", version: 2 },
  });
  const seed = new TextDecoder().decode(user.getSeed());
  return {
    config: [
      `operator: ${operatorJwt}`,
      `system_account: ${named(system)}`,
      "resolver: MEMORY",
      `resolver_preload: {\n  ${accountOf(system, "system")}\n  ${accountOf(account, "tenant")}\n}`,
    ].join("\n"),
    credentials: [
      "-----BEGIN NATS USER JWT-----",
      userJwt,
      "------END NATS USER JWT------",
      "",
      "-----BEGIN USER NKEY SEED-----",
      seed,
      "------END USER NKEY SEED------",
      "",
    ].join("\n"),
  };
}
