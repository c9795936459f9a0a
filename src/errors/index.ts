export { errorCatalogue, type ErrorCode, type ErrorData, type Refusal } from "./catalogue.ts";
export { describeRefusal, httpStatus, isTeamError, refusal, TeamError, toolRefusalText } from "./team-error.ts";
