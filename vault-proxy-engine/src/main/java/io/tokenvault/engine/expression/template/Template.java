package io.tokenvault.engine.expression.template;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.engine.filter.ExpressionException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * A text with slots for token data. Immutable.
 *
 * <pre>{@code
 * Template template = Template.ofText("Bearer {{ 26818785 }}");
 * String filled = template.fill(values); // of template.tokenIds()
 * }</pre>
 */
public final class Template {

  /** Largest number of slots in a text: each takes much more memory than its few bytes of text. */
  static final int MAX_SLOTS = 100_000;

  /**
   * Largest total length of the distinct expressions with filters in a text: parsing them is
   * costly.
   */
  static final int MAX_FILTERED = 1 << 20;

  private final List<Part> parts;

  private Template(List<Part> parts) {
    this.parts = List.copyOf(parts);
  }

  /**
   * Returns a text in which expressions are replaced by token data as text, without escape
   * sequences.
   *
   * @throws ValidationException if an expression is invalid
   */
  public static Template ofText(String text) {
    return ExpressionSpan.next(text, 0).isEmpty()
        ? ofLiteral(text)
        : new Builder().text(text, literal -> literal, Placement.TEXT).build();
  }

  /** Returns a text in which nothing is replaced. */
  public static Template ofLiteral(String text) {
    return new Template(List.of(new Literal(text)));
  }

  /** Returns whether there is an expression. */
  public boolean hasSlots() {
    for (Part part : parts) {
      if (part.hasSlots()) {
        return true;
      }
    }
    return false;
  }

  /** Returns the token ids exactly as they are written in the expressions. */
  public Set<String> tokenIds() {
    if (!hasSlots()) {
      return Set.of();
    }
    Set<String> ids = new LinkedHashSet<>();
    parts.forEach(part -> part.collect(ids));
    return ids;
  }

  /**
   * Returns the text with all slots filled.
   *
   * @param values data of all {@link #tokenIds()}
   */
  public String fill(TokenValues values) {
    if (parts.size() == 1) {
      return parts.get(0).fill(values);
    }
    StringBuilder text = new StringBuilder();
    for (Part part : parts) {
      text.append(part.fill(values));
    }
    return text.toString();
  }

  /**
   * Returns the text with all slots filled, in pieces; each slot is filled when its piece is
   * requested.
   */
  public Iterator<String> pieces(TokenValues values) {
    return parts.stream().map(part -> part.fill(values)).iterator();
  }

  /** The number of parts only: the text can be secret. */
  @Override
  public String toString() {
    return "Template[" + parts.size() + " parts]";
  }

  /** A part of a text: a literal, a slot, or a run of both. */
  private sealed interface Part {
    boolean hasSlots();

    void collect(Set<String> tokenIds);

    String fill(TokenValues values);
  }

  /** Text that is unchanged. */
  private record Literal(String text) implements Part {
    @Override
    public boolean hasSlots() {
      return false;
    }

    @Override
    public void collect(Set<String> tokenIds) {}

    @Override
    public String fill(TokenValues values) {
      return text;
    }

    @Override
    public String toString() {
      return "Literal[redacted]";
    }
  }

  /** An expression and the way its result is written. */
  private record Slot(Expression expression, Placement place) implements Part {
    @Override
    public boolean hasSlots() {
      return true;
    }

    @Override
    public void collect(Set<String> tokenIds) {
      tokenIds.add(expression.head());
    }

    @Override
    public String fill(TokenValues values) {
      return values.written(place.write(values, expression));
    }
  }

  /** A part whose text is checked or changed after its slots are filled. */
  private record Run(Template inner, UnaryOperator<String> finish) implements Part {
    @Override
    public boolean hasSlots() {
      return inner.hasSlots();
    }

    @Override
    public void collect(Set<String> tokenIds) {
      tokenIds.addAll(inner.tokenIds());
    }

    @Override
    public String fill(TokenValues values) {
      return finish.apply(inner.fill(values));
    }
  }

  /** Builds a template from start to end. */
  public static final class Builder {

    /** Length in characters up to which literals are joined. */
    private static final int SHORT = 1024;

    private final List<Part> parts = new ArrayList<>();
    private final StringBuilder pending = new StringBuilder();
    private final Expressions expressions;

    public Builder() {
      this(new Expressions());
    }

    private Builder(Expressions expressions) {
      this.expressions = expressions;
    }

    /** Returns a builder for a template inside of this one, which shares its limits. */
    public Builder nested() {
      return new Builder(expressions);
    }

    /**
     * Adds literal text. Short literals are joined, because each part takes more memory than its
     * text.
     */
    public Builder literal(String text) {
      if (text.length() > SHORT) {
        endLiteral();
        parts.add(new Literal(text));
        return this;
      }
      pending.append(text);
      if (pending.length() > SHORT) {
        endLiteral();
      }
      return this;
    }

    private void endLiteral() {
      if (!pending.isEmpty()) {
        parts.add(new Literal(pending.toString()));
        pending.setLength(0);
      }
    }

    /**
     * Adds a slot.
     *
     * @param inner the decoded text between the braces
     * @throws ValidationException if it is not an expression over a token, or a limit is exceeded
     */
    public Builder slot(String inner, Placement place) {
      endLiteral();
      parts.add(new Slot(expressions.take(inner), place));
      return this;
    }

    /**
     * Adds decoded text, with a slot for each of its expressions.
     *
     * @param writing escapes the text around the expressions
     * @param place escapes the results of the expressions
     */
    public Builder text(String decoded, UnaryOperator<String> writing, Placement place) {
      int done = 0;
      Optional<ExpressionSpan> found = ExpressionSpan.next(decoded, 0);
      while (found.isPresent()) {
        ExpressionSpan span = found.get();
        literal(writing.apply(decoded.substring(done, span.start())));
        slot(decoded.substring(span.innerStart(), span.innerEnd()), place);
        done = span.end();
        found = ExpressionSpan.next(decoded, done);
      }
      return literal(writing.apply(decoded.substring(done)));
    }

    /**
     * Adds a nested template.
     *
     * @param finish receives the template's text with its slots filled, and returns the final text
     */
    public Builder run(Template inner, UnaryOperator<String> finish) {
      endLiteral();
      parts.add(new Run(inner, finish));
      return this;
    }

    public Template build() {
      endLiteral();
      return new Template(parts);
    }
  }

  /** The expressions of one text. Identical expressions are parsed once. */
  private static final class Expressions {

    private final Map<String, Expression> read = new HashMap<>();
    private int taken;
    private long filtered;

    /**
     * Returns a parsed expression.
     *
     * @throws ValidationException if it is invalid or the text has too many
     */
    Expression take(String inner) {
      taken++;
      if (taken > MAX_SLOTS) {
        throw ValidationException.of(
            "error", "A text may contain at most " + MAX_SLOTS + " expressions.");
      }
      try {
        return read.computeIfAbsent(inner, this::read);
      } catch (ExpressionException wrong) {
        throw ValidationException.of("error", wrong.getMessage());
      }
    }

    private Expression read(String inner) {
      filtered += inner.indexOf('|') < 0 ? 0 : inner.length();
      if (filtered > MAX_FILTERED) {
        throw ValidationException.of(
            "error", "The distinct expressions with filters of a text may have 1 MiB in all.");
      }
      return Expression.ofToken(inner);
    }
  }

  /**
   * Writes the result of an expression so that it fits the place where the expression was, for
   * example with the escape sequences of its syntax.
   */
  @FunctionalInterface
  public interface Placement {

    /** Writes the result as unescaped text. */
    Placement TEXT = TokenValues::text;

    /**
     * Returns the result of an expression, escaped for the place.
     *
     * @throws io.tokenvault.domain.failure.ValidationException if the result cannot be written
     *     there
     */
    String write(TokenValues values, Expression expression);
  }
}
