# The samples of docs/getting-started.md, by a client that OpenAPI Generator generated.
import json
import os

from openapi_client import (
    AccessRule,
    ApiClient,
    ApplicationsApi,
    Configuration,
    LogsApi,
    ApplicationDraft,
    TokenDraft,
    ProxyApi,
    TokensApi,
)


def client(key):
    return ApiClient(Configuration(host=os.environ["VAULT"], api_key={"api_key": key}))


management = client(os.environ["MANAGEMENT"])
backend = client(
    ApplicationsApi(management)
    .create_application(
        ApplicationDraft(
            name="Shop backend", type="private", permissions=["token:create", "token:use"]
        )
    )
    .key
)
created = TokensApi(backend).create_token(TokenDraft(type="card_number", data="4242424242424242"))
token_id = created.id
rule = AccessRule(
    description="Reads cards",
    priority=1,
    container="/pci/",
    transform="reveal",
    permissions=["token:read"],
)
reader = client(
    ApplicationsApi(management)
    .create_application(ApplicationDraft(name="Card reader", type="private", rules=[rule]))
    .key
)
print("read", TokensApi(reader).get_token(token_id).data)

received = ProxyApi(backend).forward_post(
    svc_proxy_url=os.environ["DESTINATION"], body={"card": "{{" + token_id + "}}"}
)
print("received", json.dumps(received))

logs = LogsApi(management).list_logs(entity_id=token_id)
print("recorded", logs.pagination.total_items, logs.data[-1].operation)
