package io.tokenvault.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.engine.exchange.RequestTarget;
import java.net.InetAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.Tuple.Tuple2;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import okhttp3.tls.HeldCertificate;

/**
 * Generated requests: the engine connects only to the host that it checked, and never forwards
 * headers of the service. A server records accepted requests byte for byte, and the expected ones
 * are computed with the JDK's URL parser. {@code -Djqwik.tries.default} sets the number of cases.
 */
class ProxyFuzzPropertyTest {

  private static final String OTHER_HOST = "private.example.test";
  private static final String REFUSED_HOST = "rebound.example.test";
  private static final String ANY_DESTINATION = "https://HOST:PORT";
  private static final List<String> HOP_BY_HOP =
      List.of(
          ("connection proxy-connection keep-alive te trailer transfer-encoding upgrade"
                  + " content-length host expect")
              .split(" "));

  /** Failures after the URL was accepted: a refused address, or no server on the default port. */
  private static final Set<FailureCause> FAILURES_AFTER_CHECKS =
      Set.of(FailureCause.DESTINATION_UNRESOLVED, FailureCause.DESTINATION_UNREACHABLE);

  private static final List<String> RESOLVED_HOSTS = new CopyOnWriteArrayList<>();
  private static EngineFixture fixture;
  private static RawDestination destination;
  private static ProxyEngine engine;
  private static String proxyKey;

  @BeforeContainer
  static void start() throws Exception {
    fixture = new EngineFixture();
    HeldCertificate certificate =
        EngineFixture.certificate(EngineFixture.AUTHORITY, EngineFixture.HOST, OTHER_HOST);
    destination =
        new RawDestination(
            EngineFixture.serverCertificates(certificate, EngineFixture.AUTHORITY).sslContext());
    engine =
        fixture.newEngine(
            host -> {
              RESOLVED_HOSTS.add(host);
              return List.of(InetAddress.getLoopbackAddress());
            });
    proxyKey = fixture.vault.proxyKey(withAddress(ANY_DESTINATION), true);
    fixture.vault.token("dots", "\"..\"");
    fixture.vault.token("empty", "\"\"");
    fixture.vault.token("text", "\"a/b ?&#%2e\"");
    fixture.vault.token("line", "\"a\\r\\nSVC-Evil: b\"");
  }

  @AfterContainer
  static void stop() throws Exception {
    engine.close();
    destination.close();
    fixture.close();
  }

  private static String withAddress(String url) {
    return url.replace("HOST", EngineFixture.HOST)
        .replace("PORT", Integer.toString(destination.port()));
  }

  /** Sends a call and returns the received request; empty if it failed before connecting. */
  private static Optional<RawDestination.Received> send(EngineFixture.Call call) throws Exception {
    RESOLVED_HOSTS.clear();
    int before = destination.connections();
    try {
      engine.invoke(call.build()).close();
      return Optional.of(destination.take());
    } catch (VaultException refused) {
      if (!FAILURES_AFTER_CHECKS.contains(refused.failure())) {
        assertThat(RESOLVED_HOSTS).as("host lookups before: " + refused.getMessage()).isEmpty();
      }
      assertThat(destination.connections()).isEqualTo(before);
      assertThat(destination.waiting()).isZero();
      return Optional.empty();
    }
  }

  @Property
  void connectedHostIsCheckedHost(
      @ForAll("urls") String template,
      @ForAll("paths") String path,
      @ForAll("queries") String query)
      throws Exception {
    String url = withAddress(template);
    EngineFixture.Call call = fixture.get().to(url).path(path);
    Optional<RawDestination.Received> received = send(query.isEmpty() ? call : call.query(query));

    if (!RESOLVED_HOSTS.isEmpty()) {
      assertThat(RESOLVED_HOSTS).containsOnly(hostOf(parse(url)));
    }
    if (received.isPresent()) {
      assertReceivedBy(parse(url), received.get());
      assertThat(segments(received.get().target())).doesNotContain(".", "..");
      if (!decodedOnce(path + query).contains("{{")) {
        assertThat(received.get().target()).isEqualTo(expectedTarget(url, path, query));
      }
    }
  }

  /** Parses a URL; brackets are percent-encoded, since they are valid only around an address. */
  private static URI parse(String url) throws Exception {
    return new URI(url.replace("[", "%5B").replace("]", "%5D"));
  }

  /** Parses the authority, since the JDK finds no host if its last label begins with a digit. */
  private static String hostOf(URI url) {
    String authority = url.getRawAuthority();
    assertThat(authority).matches("[A-Za-z0-9.-]+(:[0-9]+)?");
    return authority.split(":")[0].toLowerCase(Locale.ROOT);
  }

  private static void assertReceivedBy(URI base, RawDestination.Received received) {
    String host = hostOf(base);
    assertThat(base.getScheme()).isEqualToIgnoringCase("https");
    assertThat(base.getRawFragment()).isNull();
    assertThat(base.getRawAuthority()).endsWith(":" + destination.port());
    assertThat(received.serverNames()).containsExactly(host);
    assertThat(received.headerLines())
        .filteredOn(line -> line.regionMatches(true, 0, "host:", 0, 5))
        .containsExactly("Host: " + host + ":" + destination.port());
    assertThat(received.requestLine()).matches("GET /[!-~]* HTTP/1\\.1");
    assertThat(received.target()).startsWith(base.getRawPath().replaceFirst("/+$", ""));
    if (base.getRawQuery() != null) {
      assertThat(received.target()).contains("?" + base.getRawQuery());
    }
  }

  private static String expectedTarget(String url, String path, String query) throws Exception {
    RequestTarget target =
        RequestTarget.of(path, Optional.of(query).filter(text -> !text.isEmpty()))
            .under(Destination.parse(url));
    return target.path() + target.query().map(text -> "?" + text).orElse("");
  }

  /** Returns the segments of a target's path as seen by a server that decodes repeatedly. */
  private static List<String> segments(String target) {
    String decoded = target.split("\\?", 2)[0];
    for (String before = ""; !before.equals(decoded); ) {
      before = decoded;
      decoded = decodedOnce(before);
    }
    return Stream.of(decoded.split("[/\\\\]", -1))
        .map(segment -> segment.split(";", 2)[0])
        .toList();
  }

  private static String decodedOnce(String text) {
    StringBuilder decoded = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      boolean triplet = text.substring(i).matches("(?s)%[0-9A-Fa-f]{2}.*");
      decoded.append(
          triplet ? (char) Integer.parseInt(text.substring(i + 1, i + 3), 16) : text.charAt(i));
      i += triplet ? 2 : 0;
    }
    return decoded.toString();
  }

  @Property
  void serviceHeadersAreRemovedAndOthersForwardedInOrder(@ForAll("fields") List<HeaderField> fields)
      throws Exception {
    EngineFixture.Call call = fixture.get().to(withAddress(ANY_DESTINATION));
    fields.forEach(field -> call.header(field.name(), field.value()));

    Optional<RawDestination.Received> received = send(call);

    boolean hasLineBreak =
        expectedLines(fields).stream().anyMatch(line -> line.matches("(?s).*[\r\n\0].*"));
    assertThat(received.isEmpty()).as("a line break in a value").isEqualTo(hasLineBreak);
    if (received.isPresent()) {
      List<String> lines = received.get().headerLines();
      assertThat(lines).noneMatch(line -> line.regionMatches(true, 0, "svc-", 0, 4));
      assertThat(received.get().head()).doesNotContain(fixture.key);
      assertThat(lines).containsExactlyElementsOf(withHost(expectedLines(fields)));
    }
  }

  private static List<String> withHost(List<String> lines) {
    List<String> all = new ArrayList<>(List.of(withAddress("Host: HOST:PORT")));
    all.addAll(lines);
    return all;
  }

  private static List<String> expectedLines(List<HeaderField> fields) {
    Set<String> named =
        fields.stream()
            .filter(field -> field.name().equalsIgnoreCase("Connection"))
            .flatMap(field -> Stream.of(field.value().split(",")))
            .map(name -> name.strip().toLowerCase(Locale.ROOT))
            .collect(Collectors.toSet());
    return fields.stream()
        .filter(field -> field.name().matches("[A-Za-z0-9_-]+"))
        .filter(field -> !field.name().toLowerCase(Locale.ROOT).startsWith("svc-"))
        .filter(field -> !HOP_BY_HOP.contains(field.name().toLowerCase(Locale.ROOT)))
        .filter(field -> !named.contains(field.name().toLowerCase(Locale.ROOT)))
        .map(field -> field.name() + ": " + detokenized(field.value()))
        .toList();
  }

  private static String detokenized(String value) {
    byte[] bytes = value.getBytes(StandardCharsets.ISO_8859_1);
    return new String(bytes, StandardCharsets.UTF_8)
        .replace("{{text}}", "a/b ?&#%2e")
        .replace("{{empty}}", "")
        .replace("{{line}}", "a\r\nSVC-Evil: b");
  }

  @Property
  void proxyKeyParameterIsNeverForwardedInAnySpelling(
      @ForAll("keyParameters") String parameter, @ForAll("parameters") List<String> others)
      throws Exception {
    List<String> all = new ArrayList<>(others);
    all.add(others.size() / 2, parameter + "=" + proxyKey);

    RawDestination.Received received =
        send(fixture.get().noDestination().query(String.join("&", all))).orElseThrow();

    String expected = String.join("&", others);
    assertThat(received.target()).isEqualTo(others.isEmpty() ? "/" : "/?" + expected);
    assertThat(received.head()).doesNotContain(proxyKey).doesNotContain(fixture.key);
    for (String each : expected.split("&")) {
      assertThat(URLDecoder.decode(each.split("=", 2)[0], StandardCharsets.UTF_8).strip())
          .isNotEqualToIgnoringCase("svc-proxy-key");
    }
  }

  @Provide
  Arbitrary<String> urls() {
    Arbitrary<String> hosts =
        Arbitraries.frequency(
                Tuple.of(6, EngineFixture.HOST),
                Tuple.of(3, OTHER_HOST),
                Tuple.of(2, REFUSED_HOST),
                Tuple.of(1, ""))
            .flatMap(ProxyFuzzPropertyTest::inAnyCase);
    Arbitrary<String> noise =
        words(
            "@ : / \\ ? # % . .. %2e %00 %40 [ ] 127.1 [::1] 0x7f.1 xn--0 xn--bcher-kva _ - user ;"
                + " localhost https:// \t \r\n \0 \u3002 \uff0e \uff10 \u00e9 SPACE");
    Arbitrary<String> malformed =
        Combinators.combine(schemes(), hosts, noise, Arbitraries.integers().between(0, 40), bases())
            .as(
                (scheme, host, insertion, at, base) -> {
                  String url = scheme + host + ":PORT" + base;
                  int index = Math.min(at, url.length());
                  return url.substring(0, index) + insertion + url.substring(index);
                });
    Arbitrary<String> wellFormed =
        Combinators.combine(schemes(), hosts, bases())
            .as((scheme, host, base) -> scheme + host + ":PORT" + base);
    return Arbitraries.frequencyOf(Tuple.of(2, wellFormed), Tuple.of(3, malformed));
  }

  private static Arbitrary<String> schemes() {
    return Arbitraries.frequency(
        Tuple.of(12, "https://"),
        Tuple.of(2, "HttpS://"),
        Tuple.of(1, "http://"),
        Tuple.of(1, "https:/"),
        Tuple.of(1, "//"),
        Tuple.of(1, ""));
  }

  private static Arbitrary<String> inAnyCase(String text) {
    return Arbitraries.of(true, false)
        .list()
        .ofSize(text.length())
        .map(
            upper -> {
              StringBuilder mixed = new StringBuilder(text);
              for (int i = 0; i < text.length(); i++) {
                char each = text.charAt(i);
                mixed.setCharAt(i, upper.get(i) ? Character.toUpperCase(each) : each);
              }
              return mixed.toString();
            });
  }

  private static Arbitrary<String> bases() {
    return Combinators.combine(
            Arbitraries.of("", "/", "//", "/api", "/api/", "/a%2fb/", "/a;b=c", "/...", "/a'b"),
            Arbitraries.of("", "", "?", "?k=v", "?k='v'&svc-x=1", "?/../"))
        .as((path, query) -> path + query);
  }

  @Provide
  Arbitrary<String> paths() {
    return pieces(
            "/ / a . .. % 2 5 %2e %252e %25%32%65 %25 %2f %5c \\ ; %3b {{dots}} {{empty}} {{text}}"
                + " %7b%7bempty%7D} { SPACE | \u00fc %ff ' ? # @ : %0d%0a \ud83d\ude00 +")
        .map(path -> path.isEmpty() ? "" : "/" + path);
  }

  @Provide
  Arbitrary<String> queries() {
    return pieces(
        "a = & %26 % .. / ? # ' \" | {{text}} %7B{dots}} + %20 SPACE [ \\ \u00fc %00 svc- SVC-");
  }

  private static Arbitrary<String> pieces(String pieces) {
    return words(pieces).list().ofMaxSize(8).map(each -> String.join("", each));
  }

  /** Generates one of the words, which are separated by spaces; SPACE stands for a space. */
  private static Arbitrary<String> words(String words) {
    return Arbitraries.of(words.split(" ")).map(word -> word.replace("SPACE", " "));
  }

  @Provide
  Arbitrary<List<HeaderField>> fields() {
    Arbitrary<String> names =
        words(
                "X-A x-a Accept Cookie Authorization X_B X-SVC-A SVC_A svc  Connection Keep-Alive"
                    + " TE Upgrade Trailer Transfer-Encoding Host Content-Length Expect X.A Range"
                    + " Proxy-Connection SVC-Anything svc-api-key2 SVC-TRACE-ID SVC- SVC-A:"
                    + " SVC-ASPACE SPACESVC-A SVC-\u00e4 \u017fVC-A SVC-A\r\n"
                    + "X-A X-A\0 User-Agent Accept-Encoding")
            .flatMap(name -> Arbitraries.oneOf(Arbitraries.just(name), inAnyCase(name)));
    Arbitrary<String> values =
        words(
            "a a,SPACEb x-a X-A,SPACEsvc close,SPACECookieSPACE, a:b {{text}} {{empty}} b{{text}}c"
                + " {{ }} {{line}} \u00c3\u00bc a\tb gzip chunked  5 a\r"
                + "b SVC-API-KEY \"{{text}}\"");
    return Combinators.combine(names, values).as(HeaderField::new).list().ofMaxSize(12);
  }

  @Provide
  Arbitrary<String> keyParameters() {
    return Arbitraries.of(Spelling.values())
        .list()
        .ofSize("svc-proxy-key".length())
        .flatMap(
            spellings ->
                Arbitraries.of("", "+", "%20", "%09")
                    .tuple2()
                    .map(padding -> keyName(spellings, padding)));
  }

  private static String keyName(List<Spelling> spellings, Tuple2<String, String> padding) {
    StringBuilder name = new StringBuilder(padding.get1());
    for (int i = 0; i < spellings.size(); i++) {
      name.append(spellings.get(i).write("svc-proxy-key".charAt(i)));
    }
    return name.append(padding.get2()).toString();
  }

  @Provide
  Arbitrary<List<String>> parameters() {
    return words(
            "a a=b  = svc-proxy-ke=1 svc-proxy-key2=1 a=svc-proxy-key %2573vc-proxy-key=1"
                + " svc_proxy_key=1 x-svc-proxy-key=1")
        .list()
        .ofMaxSize(4);
  }

  private enum Spelling {
    LOWER,
    UPPER,
    ENCODED,
    ENCODED_UPPER;

    String write(char letter) {
      char written =
          this == UPPER || this == ENCODED_UPPER ? Character.toUpperCase(letter) : letter;
      return this == LOWER || this == UPPER
          ? String.valueOf(written)
          : String.format(Locale.ROOT, "%%%02x", (int) written);
    }
  }
}
