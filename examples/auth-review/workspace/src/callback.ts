import { login } from "./session.ts";

export async function callback(url: URL, fetchToken: (code: string) => Promise<{ user: string; refresh: string }>) {
  const { user, refresh } = await fetchToken(url.searchParams.get("code") ?? "");
  console.log(`signed in ${user} with ${refresh}`);
  return Response.redirect(`${url.searchParams.get("next")}?session=${login(user)}`);
}
