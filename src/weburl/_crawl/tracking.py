"""What the policy `crawl` removes from URLs. Version 1 never changes: another list is another version."""

from __future__ import annotations

# Query parameters that say where a visitor came from, by who adds them. A star at the end matches any rest.
TRACKING_PARAMETERS = frozenset(
    (
        "utm_* "  # Google Analytics and many others
        "gclid gclsrc dclid gbraid wbraid srsltid _ga _gl "  # Google
        "fbclid igshid igsh "  # Meta
        "msclkid "  # Microsoft
        "twclid ttclid li_fat_id epik "  # X, TikTok, LinkedIn, Pinterest
        "yclid ysclid _openstat "  # Yandex, Openstat
        "mc_cid mc_eid "  # Mailchimp
        "_hsenc _hsmi __hssc __hstc __hsfp hsctatracking "  # HubSpot
        "mkt_tok s_cid "  # Adobe
        "vero_id vero_conv oly_anon_id oly_enc_id wickedid "  # Vero, Omeda, Wicked Reports
        "mtm_* matomo_campaign matomo_kwd "  # Matomo, also under its former name
        "pk_campaign pk_kwd pk_keyword pk_source pk_medium pk_content piwik_campaign piwik_kwd piwik_keyword "
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
