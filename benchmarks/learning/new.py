"""Five styles of routes, after real sites, that rules may be mended with."""

from __future__ import annotations

from random import Random
from urllib.parse import quote

from learning.site import BASE62, Site, characters, hexadecimal, integer, one_of, pool, ranked, word, words

# The API server of a Kubernetes cluster, as its audit log has it: most of it is machines that renew leases.
TEAM = pool(lambda random: words(random, 1, 2), 45)
APP = pool(lambda random: words(random, 1, 3), 400, 0.7)
NODE = pool(
    lambda random: (
        f"ip-10-{random.randrange(4)}-{random.randrange(256)}-{random.randrange(256)}.eu-west-1.compute.internal"
    ),
    180,
    0,
)
SUFFIX = "bcdfghjklmnpqrstvwxz2456789"
REPLICAS = pool(lambda random: f"{APP(random)}-{characters(SUFFIX, random.choice([9, 10]))(random)}", 1500, 0.5)
POD_END = characters(SUFFIX, 5)
SYSTEM = ranked(
    ["kube-system", "default", "monitoring", "argocd", "cert-manager", "ingress-nginx", "istio-system", "logging"]
)


def namespace(random: Random) -> str:
    kind = random.random()
    if kind < 0.35:
        return SYSTEM(random)
    return f"preview-pr-{random.randrange(900, 1400)}" if kind > 0.95 else TEAM(random)


def pod(random: Random) -> str:
    kind = random.random()
    if kind < 0.75:
        return f"{REPLICAS(random)}-{POD_END(random)}"
    if kind < 0.9:
        daemon = random.choice(["kube-proxy", "aws-node", "fluent-bit", "node-exporter", "ebs-csi-node"])
        return f"{daemon}-{POD_END(random)}"
    return f"{APP(random)}-{random.randrange(6)}"


def lease(random: Random) -> str:
    """A namespace and its lease."""
    if random.random() < 0.75:
        return f"kube-node-lease/leases/{NODE(random)}"
    names = ["kube-scheduler", "kube-controller-manager", "cert-manager-controller", "cluster-autoscaler"]
    return f"kube-system/leases/{random.choice(names)}"


def job(random: Random) -> str:
    return f"{APP(random)}-{29_000_000 + random.randrange(600_000)}"


KUBERNETES = Site(
    "kubernetes.example",
    [
        (3, "/livez"), (4, "/readyz"), (1, "/healthz"), (0.5, "/version"), (1, "/openapi/v2"), (1, "/openapi/v3"),
        (2, "/apis"), (1, "/api/v1"), (40, "/apis/coordination.k8s.io/v1/namespaces/<lease>"),
        (5, "/api/v1/nodes/<node>"), (4, "/api/v1/nodes/<node>/status"), (2, "/api/v1/nodes"), (3, "/api/v1/pods"),
        (4, "/api/v1/namespaces/<ns>/pods"), (12, "/api/v1/namespaces/<ns>/pods/<pod>"),
        (7, "/api/v1/namespaces/<ns>/pods/<pod>/status"), (2, "/api/v1/namespaces/<ns>/pods/<pod>/log?follow=true"),
        (8, "/api/v1/namespaces/<ns>/configmaps/<app>"), (3, "/api/v1/namespaces/<ns>/secrets/<app>"),
        (3, "/api/v1/namespaces/<ns>/services/<app>"), (5, "/api/v1/namespaces/<ns>/endpoints/<app>"),
        (5, "/api/v1/namespaces/<ns>/events"), (3, "/api/v1/namespaces/<ns>/serviceaccounts/<app>/token"),
        (6, "/apis/apps/v1/namespaces/<ns>/deployments/<app>"),
        (2, "/apis/apps/v1/namespaces/<ns>/deployments/<app>/scale"),
        (5, "/apis/apps/v1/namespaces/<ns>/replicasets/<replicas>"),
        (3, "/apis/batch/v1/namespaces/<ns>/jobs/<job>"), (1, "/apis/metrics.k8s.io/v1beta1/nodes"),
        (2, "/apis/autoscaling/v2/namespaces/<ns>/horizontalpodautoscalers/<app>/status"),
    ],
    {"lease": lease, "node": NODE, "ns": namespace, "pod": pod, "app": APP, "replicas": REPLICAS, "job": job},
)  # fmt: skip


# The API of a chat platform, as a bot's proxy sees it: snowflakes, tokens, and emoji in the path.
def snowflake(random: Random) -> str:
    return str(random.randrange(1 << 56, 1 << 60))


EMOJI = ranked("👍 ❤️ 😂 🎉 ✅ 🔥 👀 ⭐ ❌ 🙏 😮 😢 1️⃣ 2️⃣ 🚀".split())


def reaction(random: Random) -> str:
    if random.random() < 0.6:
        return quote(EMOJI(random))
    return f"{word(random)}%3A{snowflake(random)}"


CHAT = Site(
    "discuss.example",
    [
        (39, "/api/v10/channels/<channel>/messages<limit>"),
        (12, "/api/v10/channels/<channel>/messages/<snowflake>"), (6, "/api/v10/channels/<channel>/typing"),
        (9, "/api/v10/channels/<channel>/messages/<snowflake>/reactions/<emoji>/@me"),
        (1, "/api/v10/channels/<channel>/messages/<snowflake>/reactions/<emoji>/<snowflake>"),
        (1, "/api/v10/channels/<channel>/pins"), (1, "/api/v10/channels/<channel>/messages/bulk-delete"),
        (6, "/api/v10/channels/<channel>"), (2, "/api/v10/channels/<channel>/permissions/<snowflake>"),
        (2, "/api/v10/channels/<channel>/threads"), (5, "/api/v10/guilds/<guild>"),
        (12, "/api/v10/guilds/<guild>/members/<snowflake>"),
        (6, "/api/v10/guilds/<guild>/members/<snowflake>/roles/<snowflake>"), (2, "/api/v10/guilds/<guild>/roles"),
        (1, "/api/v10/guilds/<guild>/bans/<snowflake>"), (2, "/api/v10/guilds/<guild>/audit-logs"),
        (25, "/api/v10/interactions/<snowflake>/<long>/callback"), (9, "/api/v10/webhooks/<snowflake>/<token>"),
        (7, "/api/v10/webhooks/<snowflake>/<long>/messages/@original"), (3, "/api/v10/gateway/bot"),
        (4, "/api/v10/users/@me"), (2, "/api/v10/users/@me/channels"), (4, "/api/v10/users/<snowflake>"),
        (1, "/api/v10/applications/<snowflake>/commands"), (2, "/api/v10/invites/<invite>"),
        (3, "/api/v8/users/@me"),
    ],
    {
        "channel": pool(snowflake, 20_000, 0.9), "guild": pool(snowflake, 3000, 0.8), "snowflake": snowflake,
        "limit": one_of("", "", "", "?limit=100"), "emoji": reaction, "token": characters(f"{BASE62}-_", 68),
        "long": characters(BASE62, 120, "aW50ZXJhY3Rpb246"),
        "invite": lambda random: characters(BASE62, random.choice([7, 8, 10]))(random),
    },
)  # fmt: skip


# A Maven repository: groups of one to five segments, and files named by artifact and version.
GROUPS = """org/springframework org/springframework/boot com/google/guava org/apache/commons commons-io junit org/slf4j
com/fasterxml/jackson/core org/junit/jupiter io/netty ch/qos/logback org/apache/maven/plugins org/jetbrains/kotlin
com/squareup/okhttp3 org/projectlombok io/micrometer software/amazon/awssdk org/hibernate/orm org/codehaus/plexus
commons-codec javax/inject org/ow2/asm com/google/code/gson org/mockito net/bytebuddy io/grpc org/apache/kafka log4j
org/apache/maven/shared jakarta/annotation org/scala-lang org/yaml io/projectreactor androidx/core""".split()
ENDINGS = ["", "", "", "", ".Final", ".RELEASE", "-jre", "-M2", "-RC1", "-alpha3", "-beta-2"]


def artifact(random: Random) -> str:
    """The path of a group and an artifact."""
    if random.random() < 0.45:
        group = random.choice(GROUPS)
    else:
        group = "/".join([random.choice(["com", "org", "io", "net", "de", "dev", "com/github"]), word(random)])
        group += "".join([f"/{word(random)}" for _ in range(random.choice([0, 0, 1, 1, 2]))])
    return f"{group}/{group.rpartition('/')[2] if random.random() < 0.4 else word(random)}-{word(random)}"


ARTIFACT = pool(artifact, 9000)


def file(random: Random) -> str:
    """The path of a file, without what follows its version."""
    path = ARTIFACT(random)
    numbers = [str(random.randrange(most)) for most in random.choice([(9, 30), (9, 20, 20), (6, 12, 130)])]
    version = ".".join(numbers) + random.choice(ENDINGS)
    return f"{path}/{version}/{path.rpartition('/')[2]}-{version}"


MAVEN = Site(
    "maven.example",
    [
        (25, "/maven2/<file>.pom"), (15, "/maven2/<file>.pom.sha1"), (25, "/maven2/<file><classifier>.jar"),
        (15, "/maven2/<file><classifier>.jar.sha1"), (2, "/maven2/<file>.module"), (1, "/maven2/<file>.jar.asc"),
        (7, "/maven2/<artifact>/maven-metadata.xml"), (3, "/maven2/<artifact>/maven-metadata.xml.sha1"),
        (1, "/maven2/<artifact>/"), (0.5, "/maven2/archetype-catalog.xml"), (0.5, "/maven2/"), (0.3, "/robots.txt"),
    ],
    {
        "file": file, "artifact": ARTIFACT,
        "classifier": lambda random: random.choice(["-sources", "-javadoc"]) if random.random() < 0.06 else "",
    },
)  # fmt: skip


# A shop made with WordPress and WooCommerce, in three languages, with a plugin that caches.
PRODUCT = pool(lambda random: words(random, 2, 5), 3000, 0.8)
POST = pool(lambda random: words(random, 3, 8), 700, 0.8)
CATEGORY = pool(lambda random: words(random, 1, 2), 40, 0.8)
SUBCATEGORY = pool(lambda random: words(random, 1, 2), 140, 0.8)


def upload(random: Random) -> str:
    name = PRODUCT(random) if random.random() < 0.8 else f"IMG_{random.randrange(10_000):04}"
    size = random.choice(["-300x300", "-300x300", "-600x600", "-100x100", "-768x512", "-1024x683", "-scaled", ""])
    ending = random.choice(["jpg", "webp", "png"])
    return f"{random.randrange(2017, 2027)}/{random.randrange(1, 13):02}/{name}{size}.{ending}"


PLUGIN_FILES = """woocommerce/assets/js/frontend/add-to-cart.min.js woocommerce/assets/css/woocommerce.css
woocommerce/assets/js/frontend/cart-fragments.min.js woocommerce/assets/client/blocks/wc-blocks.css
sitepress-multilingual-cms/templates/language-switchers/legacy-dropdown/style.min.css
contact-form-7/includes/js/index.js contact-form-7/includes/css/styles.css elementor/assets/js/frontend.min.js
elementor/assets/lib/font-awesome/css/all.min.css elementor/assets/css/frontend.min.css
cookie-law-info/legacy/public/js/cookie-law-info-public.js""".split()
INCLUDES = """js/jquery/jquery.min.js js/jquery/jquery-migrate.min.js css/dist/block-library/style.min.css
js/wp-emoji-release.min.js js/dist/hooks.min.js""".split()
WORDPRESS = Site(
    "boutique.example",
    [
        (15, "/<ajax>"), (4, "/de/"), (3, "/fr/"), (16, "/product/<product>/"), (9, "/de/produkt/<product>/"),
        (6, "/fr/produit/<product>/"), (8, "/product-category/<category>/"),
        (5, "/product-category/<category>/<subcategory>/"), (3, "/product-category/<category>/page/<page>/"),
        (4, "/de/produkt-kategorie/<category>/"), (3, "/de/produkt-kategorie/<category>/<subcategory>/"),
        (3, "/fr/categorie-produit/<category>/"), (5, "/<post>/"), (2, "/de/<post>/"), (1, "/fr/<post>/"),
        (3, "/shop/"), (2, "/shop/page/<page>/"), (3, "/cart/"), (2, "/checkout/"),
        (1, "/checkout/order-received/<n>/?key=wc_order_<key>"), (2, "/my-account/"),
        (1, "/my-account/view-order/<n>/"), (1, "/de/warenkorb/"), (40, "/wp-content/uploads/<upload>"),
        (14, "/wp-content/cache/min/1/<md5>.js"), (9, "/wp-content/cache/min/1/<md5>.css"),
        (12, "/wp-content/plugins/<plugin>?ver=<version>"), (6, "/wp-includes/<include>?ver=<version>"),
        (12, "/wp-admin/admin-ajax.php"), (3, "/wp-json/wc/store/v1/cart"),
        (2, "/wp-json/contact-form-7/v1/contact-forms/<form>/feedback"), (4, "/wp-login.php"), (3, "/xmlrpc.php"),
        (2, "/feed/"), (1, "/product/<product>/feed/"), (1, "/wp-sitemap-posts-product-<page>.xml"),
    ],
    {
        "ajax": one_of("", "", "?wc-ajax=get_refreshed_fragments"), "product": PRODUCT, "post": POST,
        "category": CATEGORY, "subcategory": SUBCATEGORY, "n": integer(60_000),
        "page": ranked([str(n) for n in range(1, 30)]), "key": characters(BASE62, 13), "upload": upload,
        "md5": pool(hexadecimal(32), 160), "plugin": ranked(PLUGIN_FILES, 0.3), "include": ranked(INCLUDES, 0.3),
        "version": one_of("6.5.3", "8.9.1", "3.21.5"), "form": one_of("5", "118", "2204"),
    },
)  # fmt: skip


# A git forge with groups and subgroups, whose raw files have the path that they have in the repository.
GROUP = pool(lambda random: words(random, 1, 2), 4000)
OWNED = pool(
    lambda random: "/".join([GROUP(random), *([word(random)] if random.random() < 0.2 else []), words(random, 1, 3)]),
    15_000,
)
FOLDERS = ranked("src docs lib tests app internal pkg scripts include examples cmd config public assets".split())
STEM = pool(lambda random: "_".join([word(random) for _ in range(random.randint(1, 2))]), 20_000, 0.8)
ROOT_FILES = ranked("README.md LICENSE package.json Dockerfile .gitlab-ci.yml pyproject.toml go.mod Makefile".split())
FILE_ENDINGS = ranked("py js ts md go rs json yml java c h png svg txt css html sh".split())


def folder(random: Random) -> str:
    rest = [STEM(random) for _ in range(random.choice([0, 0, 1, 1, 2, 3]))]
    return "/".join([FOLDERS(random), *rest])


def source(random: Random) -> str:
    if random.random() < 0.35:
        return ROOT_FILES(random)
    return f"{folder(random)}/{STEM(random)}.{FILE_ENDINGS(random)}"


def revision(random: Random) -> str:
    kind = random.random()
    if kind < 0.5:
        return "main"
    if kind < 0.7:
        return random.choice(["master", "master", "develop"])
    if kind < 0.85:
        return f"v{random.randrange(6)}.{random.randrange(20)}.{random.randrange(12)}"
    return f"{random.getrandbits(160):040x}" if kind < 0.95 else words(random, 2, 3)


def project(random: Random) -> str:
    return str(random.randrange(1, 30_000)) if random.random() < 0.8 else quote(OWNED(random), safe="")


FORGE = Site(
    "git.example",
    [
        (4, "/"), (6, "/users/sign_in"), (3, "/explore"), (2, "/help"), (3, "/dashboard/merge_requests"),
        (5, "/<group>"), (14, "/<project>"), (30, "/<project>/-/raw/<revision>/<source>"),
        (20, "/<project>/-/blob/<revision>/<source>"), (10, "/<project>/-/tree/<revision>/<folder>"),
        (5, "/<project>/-/commits/<revision>"), (6, "/<project>/-/commit/<sha>"), (2, "/<project>/-/tags"),
        (5, "/<project>/-/issues"), (7, "/<project>/-/issues/<n>"), (4, "/<project>/-/merge_requests"),
        (9, "/<project>/-/merge_requests/<n>"), (4, "/<project>/-/merge_requests/<n>/diffs"),
        (4, "/<project>/-/pipelines/<big>"), (5, "/<project>/-/jobs/<big>"),
        (4, "/<project>/-/archive/<revision>/<file>.tar.gz"),
        (14, "/<project>.git/info/refs?service=git-upload-pack"), (10, "/<project>.git/git-upload-pack"),
        (30, "/api/v4/jobs/request"), (8, "/api/v4/projects/<id>"),
        (5, "/api/v4/projects/<id>/repository/files/<encoded>/raw?ref=<revision>"),
        (4, "/api/v4/projects/<id>/merge_requests/<n>"), (6, "/api/v4/jobs/<big>/trace"),
        (5, "/uploads/-/system/user/avatar/<n>/avatar.png?width=48"), (9, "/assets/webpack/<chunk>.<hash>.chunk.js"),
        (5, "/assets/application-<digest>.css"),
    ],
    {
        "group": GROUP, "project": OWNED, "revision": revision, "source": source, "folder": folder,
        "sha": hexadecimal(40), "n": integer(4000), "big": integer(9_000_000), "file": STEM,
        "id": project,
        "encoded": lambda random: quote(source(random), safe=""),
        "chunk": one_of("main", "runtime", "commons-pages.projects", "pages.projects.show", "vendors~monaco"),
        "hash": pool(hexadecimal(8), 60), "digest": pool(hexadecimal(64), 12),
    },
)  # fmt: skip

NEW = [KUBERNETES, CHAT, MAVEN, WORDPRESS, FORGE]
