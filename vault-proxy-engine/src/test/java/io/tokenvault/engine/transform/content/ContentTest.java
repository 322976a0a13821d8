package io.tokenvault.engine.transform.content;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.engine.wire.BodyKind;
import java.nio.charset.Charset;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContentTest {

  private static Content content(String type, byte[] body) throws UnusableContentException {
    return Content.of(List.of(new HeaderField("Content-Type", type)), Optional.of(body));
  }

  private static Optional<byte[]> written(BodyKind kind, String body, String type)
      throws UnusableContentException {
    return new Content(kind, body.getBytes(UTF_8)).written(Optional.of(type));
  }

  static Stream<Arguments> charsets() {
    return Stream.of(
        Arguments.of("text/plain", UTF_8),
        Arguments.of("text/plain; charset=utf-8", UTF_8),
        Arguments.of("text/csv; charset=\"ISO-8859-1\"", ISO_8859_1),
        Arguments.of("text/plain; charset=utf-16le", UTF_16LE),
        Arguments.of("text/plain; charset=utf-16", UTF_16BE),
        Arguments.of("application/xml; charset=iso-8859-1", ISO_8859_1));
  }

  @ParameterizedTest
  @MethodSource("charsets")
  void textIsReadAndWrittenInCharsetOfItsType(String type, Charset charset) throws Exception {
    byte[] bytes = "<é>".getBytes(charset);

    assertThat(content(type, bytes).kind()).isEqualTo(BodyKind.TEXT);
    assertThat(content(type, bytes).bytes()).isEqualTo("<é>".getBytes(UTF_8));
    assertThat(written(BodyKind.TEXT, "<é>", type)).hasValue(bytes);
  }

  @Test
  void xmlIsReadAndWrittenInDeclaredEncoding() throws Exception {
    String xml = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><é/>";

    assertThat(content("application/xml", xml.getBytes(ISO_8859_1)).bytes())
        .isEqualTo(xml.getBytes(UTF_8));
    assertThat(written(BodyKind.TEXT, xml, "application/xml")).hasValue(xml.getBytes(ISO_8859_1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"application/json", "APPLICATION/JSON; charset=utf-8", "application/hal+json"})
  void jsonTypeIsRecognized(String type) throws Exception {
    assertThat(content(type, " [1] ".getBytes(UTF_8)).kind()).isEqualTo(BodyKind.JSON);
  }

  @Test
  void jsonIsPassedInUtf8WithoutByteOrderMark() throws Exception {
    assertThat(content("application/json", "\ufeff\"é\"".getBytes(UTF_8)).bytes())
        .isEqualTo("\"é\"".getBytes(UTF_8));
    assertThat(content("application/json; charset=iso-8859-1", "\"é\"".getBytes(ISO_8859_1)))
        .extracting(Content::bytes)
        .isEqualTo("\"é\"".getBytes(UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1", "null", "\"a\"", "true", "[]", "{\"a\":[{}]}", "1e999", "\"\\ud800\""})
  void everyJsonTextIsAccepted(String json) throws Exception {
    assertThat(content("application/json", json.getBytes(UTF_8)).bytes())
        .isEqualTo(json.getBytes(UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        " ", "{", "[1", "\"a", "{} {}", "1 2", "01", "+1", "tru", "{a:1}", "[1,]", "\"\t\""
      })
  void invalidJsonIsRejected(String text) {
    assertThatThrownBy(() -> content("application/json", text.getBytes(UTF_8)))
        .isInstanceOf(UnusableContentException.class)
        .hasMessage("is not valid JSON")
        .hasNoCause();
  }

  @Test
  void tooDeeplyNestedJsonIsRejected() {
    byte[] deep = ("[".repeat(100_000) + "]".repeat(100_000)).getBytes(UTF_8);

    assertThatThrownBy(() -> content("application/json", deep))
        .isInstanceOf(UnusableContentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain; charset=no-such", "text/plain; charset=us-ascii"})
  void textThatCharsetCannotRepresentIsRejected(String type) {
    assertThatThrownBy(() -> content(type, "é".getBytes(UTF_8)))
        .isInstanceOf(UnusableContentException.class);
    assertThatThrownBy(() -> written(BodyKind.TEXT, "é", type))
        .isInstanceOf(UnusableContentException.class);
  }

  @Test
  void binaryBodyIsUnchangedForEveryType() throws Exception {
    byte[] bytes = {(byte) 0xff, 0};

    assertThat(content("application/octet-stream", bytes))
        .isEqualTo(new Content(BodyKind.BINARY, bytes));
    assertThat(Content.of(List.of(), Optional.of(bytes)).kind()).isEqualTo(BodyKind.BINARY);
    assertThat(new Content(BodyKind.BINARY, bytes).written(Optional.of("application/json")))
        .hasValue(bytes);
  }

  @Test
  void emptyBodyCountsAsNone() throws Exception {
    assertThat(content("application/json", new byte[0]).kind()).isEqualTo(BodyKind.NONE);
    assertThat(Content.of(List.of(), Optional.empty()).kind()).isEqualTo(BodyKind.NONE);
    assertThat(written(BodyKind.NONE, "", "application/json")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | ``",
        "{\"a\":\"b c\"} | a=b+c",
        "{\"a\":[1,true,null],\"b\":[],\"n\":1.50} | a=1&a=true&a=&n=1.50",
        "{\"ü\":\"=&+%\"} | %C3%BC=%3D%26%2B%25",
        "{\"a\":1e21,\"b\":12345678901234567890} | a=1e21&b=12345678901234567890"
      })
  void objectIsWrittenAsForm(String json, String form) throws Exception {
    assertThat(written(BodyKind.JSON, json, "application/x-www-form-urlencoded").orElseThrow())
        .asString()
        .isEqualTo(form);
  }

  @Test
  void textIsSentUnchangedForFormContentType() throws Exception {
    assertThat(written(BodyKind.TEXT, "a=%20", "application/x-www-form-urlencoded").orElseThrow())
        .asString()
        .isEqualTo("a=%20");
  }

  @Test
  void emptyGzipMembersAreLimited() throws Exception {
    String property = "1f8b0800000000000000" + "0300" + "00".repeat(8);
    byte[] most = HexFormat.of().parseHex(property.repeat(101));
    byte[] tooMany = HexFormat.of().parseHex(property.repeat(102));

    assertThat(ContentCoding.GZIP.unpack(most, 1, bytes -> {})).isEmpty();
    assertThatThrownBy(() -> ContentCoding.GZIP.unpack(tooMany, 1, bytes -> {}))
        .isInstanceOf(ZipException.class);
  }

  @Test
  void toStringDoesNotContainBody() {
    assertThat(new Content(BodyKind.TEXT, "4111".getBytes(UTF_8))).hasToString("Content[TEXT]");
  }
}
