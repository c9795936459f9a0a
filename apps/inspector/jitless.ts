import { config } from "zod";

// The page runs under a policy that forbids to make code of text, which zod would try.
config({ jitless: true });
