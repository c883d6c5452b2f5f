/**
 * Variables of its environment that Copilot 1.0.102 keeps from the servers: a reference to one stays as the text. Found by
 * setting every name of capitals in the program and asking for each. Under such a name a server can have a variable.
 */
const reserved: ReadonlySet<string> = new Set(
  (
    'AIP_SWE_AGENT_TOKEN ANTHROPIC_API_KEY AZURE_OPENAI_API_ENDPOINT AZURE_OPENAI_API_KEY ' +
    'AZURE_OPENAI_KEY_VAULT_SECRET_NAME AZURE_OPENAI_KEY_VAULT_URI BLACKBIRD_AUTH_METIS_API_KEY ' +
    'BLACKBIRD_AUTH_MODEL_BASED_RETRIEVAL_TOKEN CAPI_AZURE_KEY_VAULT_URI CAPI_HMAC_KEY CAPI_HMAC_KEY_OVERRIDE ' +
    'COPILOT_API_URL COPILOT_CLI_BINARY_VERSION COPILOT_CLI_RESOLVED_DIST_DIR COPILOT_DEBUG_ENTRA_BROKER_URL ' +
    'COPILOT_ENABLE_TEST_PROMPT_INJECTION COPILOT_FEEDBACK_API_URL COPILOT_FIREWALL_ALLOW_LIST ' +
    'COPILOT_FIREWALL_ENABLED COPILOT_GITHUB_TOKEN COPILOT_INTEGRATION_ID_OVERRIDE COPILOT_JOB_NONCE ' +
    'COPILOT_LOKI_TOKEN COPILOT_LOKI_TOKEN_COMMAND COPILOT_OFFLINE COPILOT_PROCESS_LOG_FILE ' +
    'GITHUB_COPILOT_AGENT_GITHUB_TOKEN GITHUB_COPILOT_API_TOKEN GITHUB_COPILOT_GITHUB_TOKEN ' +
    'GITHUB_COPILOT_INFERENCE_TOKEN GITHUB_COPILOT_INTEGRATION_ID GITHUB_COPILOT_MCP_JSON_FROM_INPUT ' +
    'GITHUB_GIT_PROXY_PORT GITHUB_MCP_SERVER_TOKEN GITHUB_PERSONAL_ACCESS_TOKEN GITHUB_TOKEN GITHUB_TOKEN_VARNAME ' +
    'GITHUB_VERIFICATION_TOKEN OPENAI_API_KEY OPENAI_BASE_URL'
  ).split(' '),
)

/** Names that it sets itself: a reference gives its value in place of the user's. */
const own: ReadonlySet<string> = new Set(
  'FORCE_COLOR GIT_CONFIG_COUNT GIT_CONFIG_KEY_0 GIT_CONFIG_VALUE_0 NODE_ENV PYTHONUNBUFFERED'.split(' '),
)

/** Whole families of names, of which the program has many. */
const families = /^COPILOT_(AGENT|PROVIDER|TEST)_/

/** Whether a reference to the variable of this name gives something else than its value. */
export function isReserved(name: string): boolean {
  return reserved.has(name) || own.has(name) || families.test(name)
}
