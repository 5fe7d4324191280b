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
CLEARURLS: Final = "https://github.com/ClearURLs/Rules/blob/01428681e61ab9d378b768821d283fd08488a25b/data.min.json"


class Tracker(NamedTuple):
    """Who adds parameters to links, their names, and who says so: they themselves, or else a list; or nobody."""

    vendor: str
    names: str
    source: str | None


# As of 28 November 2026. The parameters say where a visitor came from: they tell visits apart, not pages. A star at the
# end matches any rest, `=SHAPE` needs a value of this shape, and `@HOST` is for this host and its subdomains.
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
    Tracker("Facebook", "fb_action_ids fb_action_types fb_ref fb_source", ADGUARD),
    Tracker("Facebook", "action_object_map action_ref_map action_type_map", ADGUARD),
    Tracker("X", "twclid", BRAVE),
    Tracker("X", "__twitter_impression", CLEARURLS),
    Tracker("X", "ref_src@twitter.com ref_src@x.com ref_url@twitter.com ref_url@x.com", BRAVE),
    Tracker("YouTube", "si@youtube.com si@youtu.be", BRAVE),
    Tracker("Alibaba", "spm=dotted", CLEARURLS),
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
    Tracker("impact.com", "irclickid irgwc ir_campaignid ir_adid ir_partnerid", ADGUARD),
    Tracker("ShareASale", "sscid", ADGUARD),
    Tracker("Tradedoubler", "tduid", ADGUARD),
    Tracker("Branch", "_branch_match_id", ADGUARD),
    Tracker("Branch", "_branch_referrer", BRAVE),
    Tracker("Yandex", "yclid ysclid", ADGUARD),
    Tracker("Openstat", "_openstat", BRAVE),
    Tracker("Mailchimp", "mc_cid mc_eid", "https://apidocs.mailchimp.com/api/how-to/ecommerce.php"),
    Tracker("MailerLite", "ml_subscriber ml_subscriber_hash", BRAVE),
    Tracker("Klaviyo", "_kx", BRAVE),
    Tracker(
        "HubSpot",
        "hsa_acc hsa_ad hsa_cam hsa_grp hsa_kw hsa_la hsa_mt hsa_net hsa_ol hsa_src hsa_tgt hsa_ver",
        ADGUARD,
    ),
    Tracker("HubSpot", "_hsenc __hssc __hstc __hsfp hsctatracking", ADGUARD),
    Tracker("HubSpot", "_hsmi", CLICK_IDS),
    Tracker("Adobe Marketo", "mkt_tok", ADGUARD),
    Tracker("Adobe Analytics", "s_cid", ADGUARD),
    Tracker(
        "Adobe Advertising",
        "s_kwcid ef_id",
        "https://experienceleague.adobe.com/en/docs/advertising/integrations/analytics/ids",
    ),
    Tracker(
        "Piano Analytics, once AT Internet",
        "at_medium at_campaign",
        "https://developers.atinternet-solutions.com/piano-analytics/data-collection/how-to-send-events/"
        "marketing-campaigns",
    ),
    Tracker(
        "AT Internet, in mail",
        "at_emailtype at_creation at_send_date at_link at_recipient_id at_recipient_list",
        "https://github.com/brave/brave-browser/issues/32488",
    ),
    Tracker("AT Internet", "xtor", ADGUARD),
    Tracker("Mapp, once Webtrekk", "wt_mc", "https://docs.mapp.com/docs/campaign-1"),
    Tracker("Mapp, once Webtrekk", "wt_zmc", CLEARURLS),
    Tracker("Acoustic, once Coremetrics", "cm_mmc*", ADGUARD),
    Tracker("Blueshift", "bsft_clkid bsft_eid bsft_mid bsft_uid bsft_aaid bsft_ek", ADGUARD),
    Tracker("Microsoft Dynamics 365", "_clde _cldee", ADGUARD),
    Tracker("Yahoo", "guccounter guce_referrer guce_referrer_sig", ADGUARD),
    Tracker("Campaigns within a site", "itm_source itm_medium itm_campaign itm_content itm_term", ADGUARD),
    Tracker("Vero", "vero_id vero_conv", BRAVE),
    Tracker("Omeda Olytics", "oly_anon_id oly_enc_id", BRAVE),
    Tracker("Wicked Reports", "wickedid", BRAVE),
    Tracker(
        "Matomo, also as Piwik",
        "mtm_campaign mtm_cpn mtm_keyword mtm_kwd mtm_source mtm_medium mtm_content mtm_cid mtm_clid mtm_group "
        "mtm_placement matomo_campaign matomo_kwd pk_cpn pk_campaign pk_keyword pk_kwd pk_source pk_medium pk_content "
        "pk_cid pk_group pk_placement piwik_campaign piwik_kwd",
        MATOMO,
    ),
    Tracker("Matomo", "pk_vid", ADGUARD),
)
TRACKING_PARAMETERS = frozenset(name for tracker in TRACKERS for name in tracker.names.split())

# Query parameters that hold a session's identifier, in place of a cookie; then those that a page adds to one request.
SESSIONS: Final = (
    # In paths; some servers also take it in queries.
    Tracker("Java Servlet", "jsessionid", "https://jakarta.ee/specifications/servlet/6.0/jakarta-servlet-spec-6.0"),
    Tracker("PHP", "phpsessid", "https://www.php.net/manual/session.configuration.php"),
    Tracker(
        "Active Server Pages",
        "aspsessionid*",
        "https://github.com/internetarchive/surt/blob/master/surt/URLRegexTransformer.py",
    ),
    Tracker(
        "ColdFusion", "cfid cftoken", "https://github.com/internetarchive/surt/blob/master/surt/URLRegexTransformer.py"
    ),
    Tracker("phpBB", "sid=hex32", "https://www.phpbb.com/kb/article/sessions-and-sids-append-sid"),
    Tracker("osCommerce", "oscsid", "https://apps.oscommerce.com/mNF2Q"),
    Tracker(
        "Zen Cart",
        "zenid",
        "https://github.com/zencart/zencart/blob/be28a537653a5c8afc2ce27f61f876781305dfa2"
        "/includes/init_includes/init_sessions.php",
    ),
    Tracker("Many programs", "session_id=hex32 sessionid=hex32", "https://docs.squirrelscan.com/rules/url/session-ids"),
    Tracker(
        "WordPress: the comment that the form answers",
        "replytocom=digits",
        "https://developer.wordpress.org/reference/functions/get_comment_reply_link/",
    ),
    Tracker("jQuery: the time, so that no cache answers", "_=time", "https://api.jquery.com/jQuery.ajax/"),
)
SESSION_PARAMETERS = frozenset(name for session in SESSIONS for name in session.names.split())

# Last path segments for which servers send the same page as without them.
INDEX_NAMES = frozenset(
    "index.html index.htm index.shtml index.php index.asp index.aspx index.jsp default.html default.htm default.asp "
    "default.aspx".split()
)
