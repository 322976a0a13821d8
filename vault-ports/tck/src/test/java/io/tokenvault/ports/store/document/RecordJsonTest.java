package io.tokenvault.ports.store.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.access.AccessPolicy;
import io.tokenvault.domain.access.AccessRule;
import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.access.Condition;
import io.tokenvault.domain.access.Condition.Attribute;
import io.tokenvault.domain.access.Condition.Operator;
import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.access.TokenSelector.MeetsAll;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.application.ApplicationSettings;
import io.tokenvault.domain.proxy.ContainerBinding;
import io.tokenvault.domain.proxy.HostPattern;
import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.ProxySettings;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.tenant.Provenance;
import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.domain.tenant.Tenant;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenSettings;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.KeysetRegistry.KeysetNode;
import io.tokenvault.ports.crypto.MasterKeyId;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.crypto.WrappedKey;
import io.tokenvault.ports.memory.SmallJsonCodec;
import io.tokenvault.ports.store.ApplicationStore.ApplicationUse;
import io.tokenvault.ports.store.document.Credential.Owner;
import io.tokenvault.ports.store.document.Kind.Counter;
import io.tokenvault.ports.store.model.EncryptedTransform;
import io.tokenvault.ports.store.model.ResponseSubject;
import io.tokenvault.ports.store.model.StoredProxy;
import io.tokenvault.ports.usecase.VaultFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests the format of stored documents, which may only gain optional properties. */
final class RecordJsonTest {

  private static final Instant TIME = Instant.parse("2026-01-02T03:04:05.000006Z");
  private static final UUID ID = new UUID(0, 1);
  private static final TenantId TENANT = new TenantId(ID);
  private static final Provenance PROVENANCE =
      new Provenance(Optional.of(ID), TIME, Optional.empty(), Optional.empty());
  private static final EncryptedValue VALUE = new EncryptedValue(1, new byte[] {1, 2});
  private static final String UUID_1 = "\"00000000-0000-0000-0000-000000000001\"";
  private static final String PROVENANCE_1 =
      "{\"createdBy\":" + UUID_1 + ",\"createdAt\":\"2026-01-02T03:04:05.000006Z\"}";
  private static final String VALUE_1 = "{\"keyVersion\":1,\"ciphertext\":\"AQI=\"}";

  private final RecordJson json = new RecordJson(new SmallJsonCodec());

  private <T extends Record> void assertFormat(T record, String format) {
    String expected =
        format
            .replace('\'', '"')
            .replace("<id>", UUID_1)
            .replace("<provenance>", PROVENANCE_1)
            .replace("<value>", VALUE_1);
    assertThat(json.write(record)).isEqualTo(expected);
    assertThat(json.write((Record) json.read(expected, record.getClass()))).isEqualTo(expected);
  }

  @Test
  void applicationFormatIsStable() {
    AccessRule inContainer =
        VaultFixture.rule(1, "/pci/", AccessTransform.MASK, Permission.TOKEN_READ);
    Condition condition = new Condition(Attribute.ID, Operator.EQUALS, "abc");
    AccessRule meetsAll =
        VaultFixture.rule(
            2, new MeetsAll(List.of(condition)), AccessTransform.REVEAL, Permission.TOKEN_READ);
    assertFormat(
        new Application(
            new ApplicationId(ID),
            TENANT,
            ApplicationType.EXPIRING,
            new ApplicationSettings(
                new ResourceName("name"),
                new AccessPolicy(List.of(Permission.TOKEN_READ), List.of(inContainer, meetsAll)),
                Optional.of(true)),
            Optional.of(TIME),
            Optional.empty(),
            PROVENANCE,
            7),
        "{'id':<id>,'tenantId':<id>,'type':'EXPIRING','settings':{'name':'name','policy':{"
            + "'permissions':['TOKEN_READ'],'rules':[{'description':'rule 1','priority':1,'selector':{"
            + "'type':'InContainer','container':'/pci/'},'transform':'MASK',"
            + "'permissions':['TOKEN_READ']},{'description':'rule 2','priority':2,'selector':{"
            + "'type':'MeetsAll','conditions':[{'attribute':'ID','operator':'EQUALS',"
            + "'value':'abc'}]},'transform':'REVEAL','permissions':['TOKEN_READ']}]},"
            + "'canCreateExpiring':true},'expiresAt':'2026-01-02T03:04:05.000006Z',"
            + "'provenance':<provenance>,'version':7}");
  }

  @Test
  void tokenFormatIsStable() {
    Token token =
        new Token(
            new TokenId("an-id"),
            TENANT,
            TokenType.CARD_NUMBER,
            new TokenSettings(
                List.of(new Container("/pci/")), Map.of("key", "value"), Optional.empty()),
            Optional.of("f00"),
            PROVENANCE,
            3);
    assertFormat(
        new TokenRecord(
            token, VALUE, Optional.of(VALUE), Optional.of(TIME), Optional.empty(), List.of("b4")),
        "{'token':{'id':'an-id','tenantId':<id>,'type':'CARD_NUMBER','settings':{"
            + "'containers':['/pci/'],'metadata':{'key':'value'}},'fingerprint':'f00',"
            + "'provenance':<provenance>,'version':3},'data':<value>,'shortLived':<value>,"
            + "'partExpiresAt':'2026-01-02T03:04:05.000006Z','searchIndexes':['b4']}");
  }

  @Test
  void proxyFormatIsStable() {
    ProxySettings settings =
        new ProxySettings(
            new ResourceName("name"),
            "https://api.example.com",
            false,
            Optional.of(new ApplicationId(ID)),
            Optional.of(Duration.ofSeconds(5)),
            Optional.empty());
    assertFormat(
        new StoredProxy(
            new Proxy(new ProxyId(ID), TENANT, settings, PROVENANCE, 2),
            VALUE,
            VALUE,
            Map.of(TransformKind.REQUEST, new EncryptedTransform(VALUE, "compiler"))),
        "{'proxy':{'id':<id>,'tenantId':<id>,'settings':{'name':'name',"
            + "'destinationUrl':'https://api.example.com','requireAuth':false,'applicationId':<id>,"
            + "'timeout':'PT5S'},'provenance':<provenance>,'version':2},'key':<value>,"
            + "'configuration':<value>,'transforms':{'REQUEST':{'content':<value>,"
            + "'compiler':'compiler'}}}");
  }

  @Test
  void tenantFormatsAreStable() {
    assertFormat(
        new Tenant(TENANT, new ResourceName("name"), TIME),
        "{'id':<id>,'name':'name','createdAt':'2026-01-02T03:04:05.000006Z'}");
    assertFormat(
        new TenantKeys(TENANT, List.of(new WrappedKey(KeyPurpose.DATA, 1, new byte[] {1, 2}))),
        "{'tenantId':<id>,'keys':[{'purpose':'DATA','version':1,'wrapped':'AQI='}]}");
    assertFormat(
        new TenantEgress(
            4,
            true,
            false,
            List.of(
                new ContainerBinding(new Container("/pci/"), new HostPattern("api.example.com")))),
        "{'version':4,'urlHeader':true,'unboundByUrl':false,'bindings':[{'container':'/pci/',"
            + "'host':'api.example.com'}]}");
    assertFormat(new Counter(9), "9");
    assertFormat(
        new ApplicationUse(TENANT, new ApplicationId(ID), TIME),
        "{'tenantId':<id>,'id':<id>,'at':'2026-01-02T03:04:05.000006Z'}");
  }

  @Test
  void keyAndRequestFormatsAreStable() {
    assertFormat(
        new Credential(
            Owner.APPLICATION, new KeyHash(1, new byte[] {1, 2}), TENANT, "o", Optional.empty()),
        "{'kind':'APPLICATION','hash':{'version':1,'bytes':'AQI='},'tenantId':<id>,'owner':'o'}");
    assertFormat(
        new KeysetNode(ID, Set.of(new MasterKeyId(MasterKeyId.Use.WRAPPING, -1)), TIME),
        "{'id':<id>,'keys':[{'use':'WRAPPING','id':-1}],'lastSeen':'2026-01-02T03:04:05.000006Z'}");
    assertFormat(
        new RequestRecord(
            TENANT,
            ID,
            new ApplicationId(ID),
            "place",
            "content",
            Optional.empty(),
            Optional.of(VALUE),
            List.of(ResponseSubject.of(ResponseSubject.Kind.PROXY, "p")),
            Optional.empty(),
            TIME),
        "{'tenantId':<id>,'id':<id>,'applicationId':<id>,'place':'place','content':'content',"
            + "'answer':<value>,'subjects':[{'kind':'PROXY','shown':'REVEAL','id':'p'}],"
            + "'expiresAt':'2026-01-02T03:04:05.000006Z'}");
  }

  @Test
  void errorDoesNotQuoteUnreadableDocument() {
    assertThatThrownBy(() -> json.read("{\"id\":\"planted\"}", Tenant.class))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a stored Tenant cannot be read")
        .hasNoCause();
  }
}
