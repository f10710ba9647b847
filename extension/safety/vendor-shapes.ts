/**
 * Tokens of further services, by their prefixes. The prefixes and the lengths of the tokens are taken from the rules of
 * gitleaks (MIT): see docs/dependencies.md. Each pattern starts with the longest prefix that all tokens of a service
 * share, letter for letter.
 */
export const VENDOR_SHAPES: readonly string[] = [
  // 1Password
  'A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}',
  'ops_eyJ[A-Za-z0-9+/]{100,2000}={0,3}',
  // Adobe, age, Airtable, Alibaba, Artifactory
  'p8e-[A-Za-z0-9]{32}(?![A-Za-z0-9])',
  'AGE-SECRET-KEY-1[A-Z0-9]{58}',
  'pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}',
  'LTAI[A-Za-z0-9]{20}(?![A-Za-z0-9])',
  'AKCp[A-Za-z0-9]{69}',
  // Atlassian
  'ATATT3[\\w=-]{100,250}',
  // AWS Bedrock
  'ABSK[A-Za-z0-9+/]{100,270}={0,2}',
  // Clojars, Cloudflare, Databricks, DigitalOcean, Doppler, Dropbox
  'CLOJARS_[A-Za-z0-9]{60}',
  'v1\\.0-[a-f0-9]{24}-[a-f0-9]{146}',
  'dapi[a-f0-9]{32}(?:-\\d)?(?![a-f0-9])',
  'do[or]_v1_[a-f0-9]{64}',
  'dp\\.(?:pt|st|ct|sa)\\.[A-Za-z0-9_.-]{40,64}',
  'sl\\.[\\w=-]{130,150}',
  // Duffel, Dynatrace, EasyPost, Facebook, Flutterwave, Fly.io, Frame.io
  'duffel_(?:test|live)_[\\w=-]{43}',
  'dt0c01\\.[A-Za-z0-9]{24}\\.[A-Za-z0-9]{64}',
  'EZ[AT]K[A-Za-z0-9]{54}',
  'EAA[MC][A-Za-z0-9]{100,400}',
  'FLW(?:SECK|PUBK)_TEST-[A-Za-h0-9]{12,32}(?:-X)?',
  'fo1_[\\w-]{43}',
  'fm(?:1[ar]|2)_[A-Za-z0-9+/]{100,2000}={0,3}',
  'fio-u-[\\w=-]{64}',
  // GitLab: deployments, feature flags, feeds, mail, agents, applications, triggers, runners, jobs, SCIM, sessions
  'gl(?:dt|ffct|ft|imt|agent|oas|ptt|rt|soat|cbt)-[\\w-]{20,300}(?:\\.[0-9a-z]{9})?',
  'GR1348941[\\w-]{20}',
  '_gitlab_session=[0-9a-z]{32}',
  // Grafana
  'gl(?:c_[A-Za-z0-9+/]{32,400}={0,3}|sa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8})',
  // Harness, Heroku, Hugging Face, Infracost, Intra42, Linear
  '[ps]at\\.[\\w-]{22}\\.[A-Za-z0-9]{24}\\.[A-Za-z0-9]{20}',
  'HRKU-AA[\\w-]{58}',
  'api_org_[A-Za-z]{34}',
  'ico-[A-Za-z0-9]{32}(?![A-Za-z0-9])',
  's-s4t2(?:ud|af)-[a-f0-9]{64}',
  'lin_(?:api|oauth)_[A-Za-z0-9]{40,64}',
  // New Relic, Notion, Octopus Deploy, OpenShift, Perplexity, PlanetScale, Postman, Prefect, Pulumi
  'NR(?:AK-[A-Z0-9a-z]{27}|II-[A-Za-z0-9-]{32}|JS-[a-f0-9]{19})',
  'ntn_[0-9]{11}[A-Za-z0-9]{35}',
  'API-[A-Z0-9]{26}(?![A-Z0-9])',
  'sha256~[\\w-]{43}',
  'pplx-[A-Za-z0-9]{48}',
  'pscale_(?:tkn|oauth|pw)_[\\w=.-]{32,64}',
  'PMAK-[a-f0-9]{24}-[a-f0-9]{34}',
  'pnu_[A-Za-z0-9]{36}',
  'pul-[a-f0-9]{40}',
  // ReadMe, RubyGems, Scalingo, Brevo, Sentry, SettleMint, Shippo, Sourcegraph, Square
  'rdme_[a-z0-9]{70}',
  'rubygems_[a-f0-9]{48}',
  'tk-us-[\\w-]{48}',
  'xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}',
  'sntry(?:u_[a-f0-9]{64}|s_eyJ[A-Za-z0-9+/=]{40,500}_[A-Za-z0-9+/]{43})',
  'sm_[aps]at_[A-Za-z0-9]{16}',
  'shippo_(?:live|test)_[a-fA-F0-9]{40}',
  'sgp_(?:(?:[a-fA-F0-9]{16}|local)_)?[a-fA-F0-9]{40}',
  'sq0(?:atp|csp)-[\\w-]{22,60}',
  // Stripe, Twilio, Typeform, Vault, Yandex
  '[sr]k_prod_[A-Za-z0-9]{10,99}',
  'SK[0-9a-fA-F]{32}(?![0-9a-zA-Z])',
  'tfp_[\\w.=-]{59}',
  'hv(?:s\\.[\\w-]{90,120}|b\\.[\\w-]{138,300})',
  'AQVN[\\w-]{35,38}',
];

/** Tokens without a fixed prefix, by a text inside them that comes at most 30 characters after their beginning. */
export const VENDOR_INFIXES: Readonly<Record<string, RegExp>> = {
  // Terraform Cloud, Azure, Telegram, Microsoft Teams, Plaid
  '.atlasv1.': /[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}/,
  'Q~': /(?<=^|[^\w~.-]|\\[nrt])[\w~.]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])/,
  ':AA': /(?<=^|\W|\\[nrt])\d{8,10}:AA[\w-]{33}(?![\w-])/,
  'webhook.office.com/webhookb2/':
    /[a-z0-9]+\.webhook\.office\.com\/webhookb2\/[\w@-]{40,90}\/IncomingWebhook\/[a-z0-9]{32}\/[\w-]{36}/,
  'access-production-': /access-production-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/,
};
