import "./jitless.ts";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { placeOf, takeToken } from "./feed/address.ts";
import { Api } from "./feed/api.ts";
import "./styles/base.css";
import "./styles/layout.css";
import "./styles/parts.css";
import "./styles/views.css";

const { token, hash } = takeToken(location.hash, sessionStorage);
// The token must not stay in the address, where it would be copied with every link.
if (hash !== location.hash) history.replaceState(null, "", `${location.pathname}${location.search}${hash}`);

const root = document.querySelector("#root");
if (root === null) throw new Error("the page has no root");
createRoot(root).render(
  <StrictMode>
    <App api={new Api(document.baseURI, token)} start={placeOf(hash)} />
  </StrictMode>,
);
