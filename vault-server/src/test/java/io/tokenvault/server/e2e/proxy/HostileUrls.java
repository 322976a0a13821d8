package io.tokenvault.server.e2e.proxy;

import java.util.stream.Stream;

/**
 * URLs that are no destinations, at least one of each form that the rules name. PORT stands for one
 * at which a request would be accepted.
 */
final class HostileUrls {

  private static final String LABEL = "a".repeat(63);

  private HostileUrls() {}

  static Stream<String> all() {
    return Stream.of(
            schemes(), addresses(), hosts(), userInformation(), ports(), paths(), characters())
        .flatMap(each -> each);
  }

  private static Stream<String> schemes() {
    return Stream.of(
        "http://payments.test:PORT",
        "HTTP://payments.test:PORT",
        "ftp://payments.test:PORT",
        "ws://payments.test:PORT",
        "wss://payments.test:PORT",
        "file:///etc/passwd",
        "file://localhost/etc/passwd",
        "gopher://payments.test:PORT/_x",
        "jar:https://payments.test:PORT!/x",
        "data:text/plain,x",
        "javascript:alert(1)",
        "https+unix://payments.test",
        "httpss://payments.test:PORT",
        "https",
        "https:",
        "https:/",
        "https://",
        "https:///",
        "https:payments.test:PORT",
        "https:/payments.test:PORT",
        "https:///payments.test:PORT",
        "https:////payments.test:PORT",
        "//payments.test:PORT",
        "/payments.test",
        "payments.test:PORT",
        "payments.test",
        "?",
        "%68ttps://payments.test:PORT",
        "https%3a//payments.test:PORT",
        "https://https://payments.test:PORT");
  }

  private static Stream<String> addresses() {
    return Stream.of(
        "https://127.0.0.1:PORT",
        "https://127.0.0.1.:PORT",
        "https://0.0.0.0:PORT",
        "https://10.0.0.1",
        "https://169.254.169.254/latest/meta-data",
        "https://8.8.8.8",
        "https://1.2.3.4.5",
        "https://127.1:PORT",
        "https://127.0.1:PORT",
        "https://127.:PORT",
        "https://0:PORT",
        "https://2130706433:PORT",
        "https://2130706433.:PORT",
        "https://4294967297:PORT",
        "https://017700000001:PORT",
        "https://0177.0.0.1:PORT",
        "https://0000000177.0.0.01:PORT",
        "https://127.0.0.010:PORT",
        "https://0x7f000001:PORT",
        "https://0X7F000001:PORT",
        "https://0x7f.1:PORT",
        "https://0x7f.0x0.0x0.0x1:PORT",
        "https://127.0.0.0x1:PORT",
        "https://127.0x:PORT",
        "https://[::1]:PORT",
        "https://[0:0:0:0:0:0:0:1]:PORT",
        "https://[::]:PORT",
        "https://[::ffff:127.0.0.1]:PORT",
        "https://[::ffff:7f00:1]:PORT",
        "https://[::127.0.0.1]:PORT",
        "https://[64:ff9b::7f00:1]:PORT",
        "https://[2002:7f00:1::]:PORT",
        "https://[2606:4700::1111]",
        "https://[fe80::1%25lo]:PORT",
        "https://[fe80::1%lo]:PORT",
        "https://[::1%25]:PORT",
        "https://[v1.x]:PORT",
        "https://[payments.test]:PORT",
        "https://[]:PORT",
        "https://[::1:PORT",
        "https://::1:PORT",
        "https://::1",
        "https://%31%32%37.0.0.1:PORT",
        "https://127%2e0%2e0%2e1:PORT",
        "https://%5b::1%5d:PORT",
        "https://\uff11\uff12\uff17.0.0.1:PORT",
        "https://127\uff0e0\uff0e0\uff0e1:PORT",
        "https://127\u30020\u30020\u30021:PORT",
        "https://127\uff610\uff610\uff611:PORT",
        "https://\u2460\u2461\u2466.0.0.1:PORT",
        "https://\u0661\u0662\u0667.0.0.1:PORT");
  }

  private static Stream<String> hosts() {
    return Stream.of(
        "https://localhost:PORT",
        "https://LocalHost:PORT",
        "https://localhost.:PORT",
        "https://a.localhost:PORT",
        "https://payments.test.localhost:PORT",
        "https://intranet:PORT",
        "https://test:PORT",
        "https://payments.test.:PORT",
        "https://payments.test..:PORT",
        "https://.payments.test:PORT",
        "https://payments..test:PORT",
        "https://.:PORT",
        "https://..:PORT",
        "https://:PORT",
        "https://-payments.test:PORT",
        "https://payments-.test:PORT",
        "https://pay_ments.test:PORT",
        "https://_payments.test:PORT",
        "https://*.test:PORT",
        "https://payments.test,shipping.test:PORT",
        "https://payments.test;shipping.test:PORT",
        "https://payments.test!:PORT",
        "https://payments.test&x:PORT",
        "https://payments.test=x:PORT",
        "https://(payments).test:PORT",
        "https://'payments.test':PORT",
        "https://$HOST:PORT",
        "https://pay%6dents.test:PORT",
        "https://payments%2etest:PORT",
        "https://payments.test%00.shipping.test:PORT",
        "https://payments.test%0a.shipping.test:PORT",
        "https://payments.test%09:PORT",
        "https://payments.test%20:PORT",
        "https://payments.test%2f:PORT",
        "https://payments.test%23:PORT",
        "https://payments.test%40shipping.test:PORT",
        "https://" + "a".repeat(64) + ".test:PORT",
        "https://" + String.join(".", LABEL, LABEL, LABEL, "a".repeat(62)) + ":PORT",
        "https://b\u00fccher.test:PORT",
        "https://payments\u3002test:PORT",
        "https://payments\uff0etest:PORT",
        "https://payments\uff61test:PORT",
        "https://\uff50\uff41\uff59ments.test:PORT",
        "https://pay\u00adments.test:PORT",
        "https://pay\u200bments.test:PORT",
        "https://\u043fayments.test:PORT",
        "https://payments.test\uff0fshipping.test:PORT",
        "https://payments.test\u2044shipping.test:PORT",
        "https://payments.test\uff20shipping.test:PORT",
        "https://payments.test\uff1aPORT");
  }

  private static Stream<String> userInformation() {
    return Stream.of(
        "https://user@payments.test:PORT",
        "https://user:password@payments.test:PORT",
        "https://@payments.test:PORT",
        "https://:@payments.test:PORT",
        "https://:password@payments.test:PORT",
        "https://a@b@payments.test:PORT",
        "https://payments.test@shipping.test:PORT",
        "https://payments.test:443@shipping.test:PORT",
        "https://payments.test:PORT@",
        "https://user%40payments.test:PORT",
        "https://user%3apassword@payments.test:PORT",
        "https://%75ser@payments.test:PORT",
        "https://payments.test\\@shipping.test:PORT",
        "https://shipping.test#@payments.test:PORT",
        "https://shipping.test:80#@payments.test:PORT/");
  }

  private static Stream<String> ports() {
    return Stream.of(
        "https://payments.test:",
        "https://payments.test:/x",
        "https://payments.test:0",
        "https://payments.test:00000",
        "https://payments.test:0443",
        "https://payments.test:000443",
        "https://payments.test:65536",
        "https://payments.test:99999",
        "https://payments.test:4294967739",
        "https://payments.test:-1",
        "https://payments.test:+443",
        "https://payments.test:443x",
        "https://payments.test:0x1bb",
        "https://payments.test:4_4_3",
        "https://payments.test:%34%34%33",
        "https://payments.test:https",
        "https://payments.test:443:443",
        "https://payments.test:\uff14\uff14\uff13",
        "https://payments.test:\u0664\u0664\u0663");
  }

  private static Stream<String> paths() {
    return Stream.of(
        "https://payments.test:PORT#",
        "https://payments.test:PORT#fragment",
        "https://payments.test:PORT/#",
        "https://payments.test:PORT/a?b#c",
        "https://payments.test:PORT/.",
        "https://payments.test:PORT/..",
        "https://payments.test:PORT/./a",
        "https://payments.test:PORT/a/../b",
        "https://payments.test:PORT/a/..?b",
        "https://payments.test:PORT/../../",
        "https://payments.test:PORT/%2e",
        "https://payments.test:PORT/%2E%2e/a",
        "https://payments.test:PORT/.%2e/a",
        "https://payments.test:PORT/%252e%252e/a",
        "https://payments.test:PORT/%25252e./a",
        "https://payments.test:PORT/%25%32%65./a",
        "https://payments.test:PORT/%252%65%2e/a",
        "https://payments.test:PORT/a%2f..",
        "https://payments.test:PORT/a%252f../b",
        "https://payments.test:PORT/..%2fa",
        "https://payments.test:PORT/..%5ca",
        "https://payments.test:PORT/..%255ca",
        "https://payments.test:PORT/..\\a",
        "https://payments.test:PORT/..;/a",
        "https://payments.test:PORT/..;a=b/c",
        "https://payments.test:PORT/..%3b/a",
        "https://payments.test:PORT/..%253ba/b",
        "https://payments.test:PORT/..%00/a",
        "https://payments.test:PORT/%c0%ae%c0%ae/a",
        "https://payments.test:PORT/..%c0%afa",
        "https://payments.test:PORT/{{id}}",
        "https://payments.test:PORT/?a={{id}}",
        "https://payments.test:PORT/%",
        "https://payments.test:PORT/%4",
        "https://payments.test:PORT/%zz",
        "https://payments.test:PORT/" + "a".repeat(2048));
  }

  private static Stream<String> characters() {
    return Stream.of(
        "https:\\\\payments.test:PORT",
        "https:/\\payments.test:PORT",
        "\\\\payments.test:PORT",
        "https://payments.test:PORT\\a",
        "https://payments.test:PORT/a\\b",
        "https://payments.test:PORT/?a\\b",
        "https://payments.test:PORT/a b",
        "https://pay ments.test:PORT",
        "https:// payments.test:PORT",
        "https://payments.test :PORT",
        "https://pay\tments.test:PORT",
        "ht\ttps://payments.test:PORT",
        "https://payments.test:PORT/a\tb",
        "https://payments.test:PORT/a|b",
        "https://payments.test:PORT/a^b",
        "https://payments.test:PORT/a`b",
        "https://payments.test:PORT/<a>",
        "https://payments.test:PORT/\"a\"",
        "\"https://payments.test:PORT\"",
        "<https://payments.test:PORT>",
        "https://payments.test:PORT/\u00fc",
        "https://payments.test:PORT/?\u00fc",
        "\uff48ttps://payments.test:PORT",
        "https\uff1a//payments.test:PORT",
        "http\u017f://payments.test:PORT",
        "\ufeffhttps://payments.test:PORT");
  }
}
