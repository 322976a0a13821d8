package io.tokenvault.engine;

import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.engine.expression.BodyTemplate;
import io.tokenvault.engine.expression.PercentEncodedText;
import io.tokenvault.engine.expression.Template;
import io.tokenvault.engine.expression.TextualBody;
import io.tokenvault.engine.expression.TokenValues;
import io.tokenvault.engine.expression.WorkMemory;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Everything of one request that expressions are replaced in. */
final class Templates {

  private final Template path;
  private final Optional<Template> query;
  private final List<HeaderTemplate> headers;
  private final Optional<BodyTemplate> body;

  private Templates(
      Template path,
      Optional<Template> query,
      List<HeaderTemplate> headers,
      Optional<BodyTemplate> body) {
    this.path = path;
    this.query = query;
    this.headers = headers;
    this.body = body;
  }

  /**
   * Finds all expressions.
   *
   * @param memory for the work on a held body
   * @throws io.tokenvault.domain.failure.ValidationException if one is wrong
   */
  static Templates read(
      Target target, List<HeaderField> fields, Optional<HeldText> held, WorkMemory memory) {
    return new Templates(
        PercentEncodedText.path(target.path()),
        target.query().map(PercentEncodedText::query),
        fields.stream()
            .map(field -> new HeaderTemplate(field.name(), Template.ofText(field.value())))
            .toList(),
        held.flatMap(text -> text.kind().read(text.bytes(), memory)));
  }

  Set<String> tokenIds() {
    Set<String> ids = new LinkedHashSet<>();
    Stream.of(Stream.of(path), query.stream(), headers.stream().map(HeaderTemplate::value))
        .flatMap(each -> each)
        .forEach(template -> ids.addAll(template.tokenIds()));
    body.ifPresent(template -> ids.addAll(template.tokenIds()));
    return ids;
  }

  Target target(TokenValues values) {
    return new Target(path.fill(values), query.map(template -> template.fill(values)));
  }

  List<HeaderField> headers(TokenValues values) {
    return headers.stream()
        .map(header -> new HeaderField(header.name(), header.value().fill(values)))
        .toList();
  }

  /** Empty if the body stays as it is. */
  Optional<byte[]> body(TokenValues values) {
    return body.map(template -> template.fill(values));
  }

  /** A body that may hold expressions. */
  record HeldText(byte[] bytes, TextualBody kind) {}

  private record HeaderTemplate(String name, Template value) {}
}
