"""What the policy `crawl` removes from URLs. Version 1 never changes: another list is another version."""

from __future__ import annotations

from typing import Final, NamedTuple

# Lists that browsers and filters use, and Matomo's own.
ADGUARD: Final = (
    "https://github.com/AdguardTeam/AdguardFilters/blob/002b06615b38c64b27fadafad6cf5323e752090f"
    "/TrackParamFilter/sections/general_url.txt"
)
BRAVE: Final = (
    "https://github.com/brave/brave-core/blob/0c7f00e55270713337549a38a127f7e441383c23/components/query_filter/utils.cc"
)
MATOMO: Final = (
    "https://github.com/matomo-org/plugin-MarketingCampaignsReporting/blob/17954efbe7ad461c6a558922f949ad32c30d1f0f"
    "/MarketingCampaignsReporting.php"
)
CLICK_IDS: Final = "https://github.com/henkisdabro/platform-url-click-id-parameters"


class Tracker(NamedTuple):
    """Who adds parameters to links, their names, and who says so: they themselves, or else a list; or nobody."""

    vendor: str
    names: str
    source: str | None


# As of 22 November 2026. The parameters say where a visitor came from: they tell visits apart, not pages. A star at the
# end matches any rest.
TRACKERS: Final = (
    Tracker("Google Analytics, and many others", "utm_*", "https://support.google.com/analytics/answer/10917952"),
    Tracker("Google Analytics", "_ga _gl", "https://support.google.com/analytics/answer/10071811"),
    Tracker("Google Ads", "gclid", "https://support.google.com/google-ads/answer/1752125"),
    Tracker("Google Ads", "gad_source gad_campaignid", "https://support.google.com/google-ads/answer/16193746"),
    Tracker("Google Ads", "gclsrc gbraid wbraid", ADGUARD),
    Tracker("Google Marketing Platform, Google Merchant Center", "dclid srsltid", BRAVE),
    Tracker(
        "Meta", "fbclid", "https://developers.facebook.com/docs/marketing-api/conversions-api/parameters/fbp-and-fbc"
    ),
    Tracker("Instagram", "igshid igsh", BRAVE),
    # Seen in links that its apps share.
    Tracker("Facebook", "mibextid", None),
    Tracker("Microsoft Advertising", "msclkid", "https://help.ads.microsoft.com/apex/index/3/en/60125"),
    Tracker("X", "twclid", BRAVE),
    Tracker("TikTok", "ttclid", "https://ads.tiktok.com/help/article/tiktok-click-id"),
    Tracker(
        "LinkedIn",
        "li_fat_id",
        "https://learn.microsoft.com/linkedin/marketing/integrations/ads-reporting/conversions-api",
    ),
    Tracker("Pinterest", "epik", "https://help.pinterest.com/en/business/article/add-event-codes"),
    Tracker("Snapchat", "sccid", "https://docs.metarouter.io/docs/snapchat-capi-sync"),
    Tracker("Reddit", "rdt_cid", "https://docs.metarouter.io/docs/reddit-ads"),
    Tracker("Taboola", "tblci", "https://docs.upstackdata.com/destinations/taboola"),
    Tracker("Outbrain", "dicbo", CLICK_IDS),
    Tracker("impact.com", "irclickid", ADGUARD),
    Tracker("Yandex", "yclid ysclid", ADGUARD),
    Tracker("Openstat", "_openstat", BRAVE),
    Tracker("Mailchimp", "mc_cid mc_eid", "https://apidocs.mailchimp.com/api/how-to/ecommerce.php"),
    Tracker("MailerLite", "ml_subscriber ml_subscriber_hash", BRAVE),
    Tracker("Klaviyo", "_kx", BRAVE),
    Tracker("HubSpot", "hsa_*", "https://knowledge.hubspot.com/ads/ad-tracking-in-hubspot"),
    Tracker("HubSpot", "_hsenc __hssc __hstc __hsfp hsctatracking", ADGUARD),
    Tracker("HubSpot", "_hsmi", CLICK_IDS),
    Tracker("Adobe Marketo", "mkt_tok", ADGUARD),
    Tracker("Adobe Analytics", "s_cid", ADGUARD),
    Tracker(
        "Adobe Advertising",
        "s_kwcid ef_id",
        "https://experienceleague.adobe.com/en/docs/advertising/integrations/analytics/ids",
    ),
    Tracker("Vero", "vero_id vero_conv", BRAVE),
    Tracker("Omeda Olytics", "oly_anon_id oly_enc_id", BRAVE),
    Tracker("Wicked Reports", "wickedid", BRAVE),
    Tracker(
        "Matomo, also as Piwik",
        "mtm_* matomo_campaign matomo_kwd pk_cpn pk_campaign pk_keyword pk_kwd pk_source pk_medium pk_content pk_cid "
        "pk_group pk_placement piwik_campaign piwik_kwd",
        MATOMO,
    ),
)
TRACKING_PARAMETERS = frozenset(name for tracker in TRACKERS for name in tracker.names.split())

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
