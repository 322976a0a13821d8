package io.tokenvault.engine.expression.template;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.engine.filter.ExpressionException;
import java.util.ArrayList;
import java.util.Collections;
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
 * String rendered = template.render(values); // of template.tokenIds()
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

  /** The token ids in the expressions, in their order. */
  private final Set<String> tokenIds;

  private Template(List<Part> parts, Set<String> tokenIds) {
    this.parts = List.copyOf(parts);
    this.tokenIds = Collections.unmodifiableSet(tokenIds);
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
    return new Template(List.of(values -> text), Set.of());
  }

  /** Returns whether there is an expression. */
  public boolean hasSlots() {
    return !tokenIds.isEmpty();
  }

  /** Returns the token ids exactly as they are written in the expressions. */
  public Set<String> tokenIds() {
    return tokenIds;
  }

  /**
   * Returns the text with all slots replaced.
   *
   * @param values data of all {@link #tokenIds()}
   */
  public String render(TokenValues values) {
    if (parts.size() == 1) {
      return parts.get(0).render(values);
    }
    StringBuilder text = new StringBuilder();
    for (Part part : parts) {
      text.append(part.render(values));
    }
    return text.toString();
  }

  /**
   * Returns the text with all slots replaced, in pieces; each slot is replaced when its piece is
   * requested.
   */
  public Iterator<String> pieces(TokenValues values) {
    return parts.stream().map(part -> part.render(values)).iterator();
  }

  /** The number of parts only: the text can be secret. */
  @Override
  public String toString() {
    return "Template[" + parts.size() + " parts]";
  }

  /** A part of a text: a literal, a slot, or a run of both. */
  @FunctionalInterface
  private interface Part {
    String render(TokenValues values);
  }

  /** Builds a template from start to end. */
  public static final class Builder {

    /** Length in characters up to which literals are joined. */
    private static final int SHORT = 1024;

    private final List<Part> parts = new ArrayList<>();
    private final Set<String> tokenIds = new LinkedHashSet<>();
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
        parts.add(values -> text);
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
        String text = pending.toString();
        parts.add(values -> text);
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
      Expression expression = expressions.take(inner);
      tokenIds.add(expression.head());
      parts.add(values -> values.written(place.write(values, expression)));
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
     * Adds a nested template, whose text is checked or changed after its slots are rendered.
     *
     * @param finish receives the template's text with its slots replaced, and returns the final
     *     text
     */
    public Builder run(Template inner, UnaryOperator<String> finish) {
      endLiteral();
      tokenIds.addAll(inner.tokenIds);
      parts.add(values -> finish.apply(inner.render(values)));
      return this;
    }

    public Template build() {
      endLiteral();
      return new Template(parts, tokenIds);
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
