"""What the policy `crawl` removes from URLs. Version 1 never changes: another list is another version."""

from __future__ import annotations

# Query parameters that say where a visitor came from, by who adds them, as of 22 November 2026. They tell visits apart,
# not pages. A star at the end matches any rest.
TRACKING_PARAMETERS = frozenset(
    (
        "utm_* "  # Google Analytics and many others
        "gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid srsltid _ga _gl "  # Google
        "fbclid igshid igsh mibextid "  # Meta
        "msclkid "  # Microsoft
        "twclid ttclid li_fat_id epik sccid rdt_cid "  # X, TikTok, LinkedIn, Pinterest, Snapchat, Reddit
        "tblci dicbo irclickid "  # Taboola, Outbrain, Impact
        "yclid ysclid _openstat "  # Yandex, Openstat
        "mc_cid mc_eid ml_subscriber ml_subscriber_hash _kx "  # Mailchimp, MailerLite, Klaviyo
        "_hsenc _hsmi __hssc __hstc __hsfp hsctatracking hsa_* "  # HubSpot
        "mkt_tok s_cid s_kwcid ef_id "  # Adobe
        "vero_id vero_conv oly_anon_id oly_enc_id wickedid "  # Vero, Omeda, Wicked Reports
        "mtm_* matomo_campaign matomo_kwd "  # Matomo, also under its former name
        "pk_cid pk_campaign pk_kwd pk_keyword pk_source pk_medium pk_content piwik_campaign piwik_kwd piwik_keyword "
    ).split()
)

# Query parameters that hold a session's identifier, in place of a cookie.
SESSION_PARAMETERS = frozenset(
    (
        "jsessionid "  # Java Servlet, 7.1.3: in paths; some servers also take it in queries
        "phpsessid "  # PHP: session.name, session.use_trans_sid
        "aspsessionid* "  # Active Server Pages
        "cfid cftoken"  # ColdFusion
    ).split()
)

# Last path segments for which servers send the same page as without them.
INDEX_NAMES = frozenset(
    "index.html index.htm index.shtml index.php index.asp index.aspx index.jsp default.html default.htm default.asp "
    "default.aspx".split()
)
