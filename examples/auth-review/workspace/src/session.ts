const sessions = new Map<string, { user: string; expires: number }>();

export function login(user: string): string {
  const token = Math.random().toString(36).slice(2);
  sessions.set(token, { user, expires: Date.now() + 3_600_000 });
  return token;
}

export function userOf(token: string): string | null {
  return sessions.get(token)?.user ?? null;
}
