/**
 * The platform's `fetch` without redirects: a redirect is an answer that the model's provider class fails on. The
 * platform takes only `authorization` off a request that it sends to another host. Keys in headers of a provider's own
 * (`x-api-key`, `x-goog-api-key`) and the whole conversation would follow.
 */
export const directFetch: typeof fetch = (input, init) => fetch(input, { ...init, redirect: "manual" });
