package io.tokenvault.engine.expression.template;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.engine.filter.value.ExpressionException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** A text with slots for the data of tokens. Immutable. */
public final class Template {

  /** Each takes much more memory than the few bytes that it is written with. */
  static final int MAX_SLOTS = 100_000;

  /** Of all expressions with filters that are not the same: reading them is the costly part. */
  static final int MAX_FILTERED = 1 << 20;

  private final List<Part> parts;

  private Template(List<Part> parts) {
    this.parts = List.copyOf(parts);
  }

  /** A text in which expressions are replaced by the tokens' text as it is. */
  public static Template ofText(String text) {
    return new Builder().text(text, literal -> literal, Placement.TEXT).build();
  }

  /** A text in which nothing is replaced. */
  public static Template ofLiteral(String text) {
    return new Builder().literal(text).build();
  }

  public boolean hasSlots() {
    return parts.stream().anyMatch(Part::hasSlots);
  }

  /** The ids as they are written in the expressions. */
  public Set<String> tokenIds() {
    Set<String> ids = new LinkedHashSet<>();
    parts.forEach(part -> part.collect(ids));
    return ids;
  }

  /**
   * The text with all slots filled.
   *
   * @param values of all {@link #tokenIds()}
   */
  public String fill(TokenValues values) {
    StringBuilder text = new StringBuilder();
    pieces(values).forEachRemaining(text::append);
    return text.toString();
  }

  /** The text with all slots filled, in pieces; a slot is filled when it is its turn. */
  public Iterator<String> pieces(TokenValues values) {
    return parts.stream().map(part -> part.fill(values)).iterator();
  }

  /** The number of parts only: the text can be secret. */
  @Override
  public String toString() {
    return "Template[" + parts.size() + " parts]";
  }

  private sealed interface Part {
    boolean hasSlots();

    void collect(Set<String> tokenIds);

    String fill(TokenValues values);
  }

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

  /** How literal text is written in a place. */
  @FunctionalInterface
  public interface Writing {
    String write(String literal);
  }

  /** Puts a template together from its start to its end. */
  public static final class Builder {

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

    /** For a template inside of this one. */
    public Builder nested() {
      return new Builder(expressions);
    }

    /** Many short ones become few, since each takes more memory than its text. */
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
     * @param inner what stands between the braces, decoded
     * @throws ValidationException if it is no expression over a token
     */
    public Builder slot(String inner, Placement place) {
      endLiteral();
      parts.add(new Slot(expressions.take(inner), place));
      return this;
    }

    /** Reads decoded text for expressions. */
    public Builder text(String decoded, Writing writing, Placement place) {
      int done = 0;
      Optional<ExpressionSpan> found = ExpressionSpan.next(decoded, 0);
      while (found.isPresent()) {
        ExpressionSpan span = found.get();
        literal(writing.write(decoded.substring(done, span.start())));
        slot(decoded.substring(span.innerStart(), span.innerEnd()), place);
        done = span.end();
        found = ExpressionSpan.next(decoded, done);
      }
      return literal(writing.write(decoded.substring(done)));
    }

    /**
     * @param finish for the whole of the run with its slots filled
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

  /** The expressions of one text, of which the same are read once. */
  private static final class Expressions {

    private final Map<String, Expression> read = new HashMap<>();
    private int taken;
    private long filtered;

    Expression take(String inner) {
      taken++;
      if (taken > MAX_SLOTS) {
        throw ValidationException.of(
            "error", "A text may hold at most " + MAX_SLOTS + " expressions.");
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
            "error", "The different expressions with filters of a text may be 1 MiB together.");
      }
      return Expression.ofToken(inner);
    }
  }
}
