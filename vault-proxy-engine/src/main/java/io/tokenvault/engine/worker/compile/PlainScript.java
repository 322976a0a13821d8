package io.tokenvault.engine.worker.compile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.regex.Pattern;
import org.mozilla.javascript.CompilerEnvirons;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.EvaluatorException;
import org.mozilla.javascript.Node;
import org.mozilla.javascript.Parser;
import org.mozilla.javascript.Token;
import org.mozilla.javascript.ast.ArrayLiteral;
import org.mozilla.javascript.ast.AstNode;
import org.mozilla.javascript.ast.AstRoot;
import org.mozilla.javascript.ast.CatchClause;
import org.mozilla.javascript.ast.Comment;
import org.mozilla.javascript.ast.DestructuringForm;
import org.mozilla.javascript.ast.ElementGet;
import org.mozilla.javascript.ast.EmptyExpression;
import org.mozilla.javascript.ast.ExpressionStatement;
import org.mozilla.javascript.ast.ForInLoop;
import org.mozilla.javascript.ast.FunctionCall;
import org.mozilla.javascript.ast.FunctionNode;
import org.mozilla.javascript.ast.KeywordLiteral;
import org.mozilla.javascript.ast.Name;
import org.mozilla.javascript.ast.NewExpression;
import org.mozilla.javascript.ast.NumberLiteral;
import org.mozilla.javascript.ast.ObjectProperty;
import org.mozilla.javascript.ast.ParenthesizedExpression;
import org.mozilla.javascript.ast.PropertyGet;
import org.mozilla.javascript.ast.RegExpLiteral;
import org.mozilla.javascript.ast.StringLiteral;
import org.mozilla.javascript.ast.UnaryExpression;
import org.mozilla.javascript.ast.VariableDeclaration;
import org.mozilla.javascript.ast.VariableInitializer;

/**
 * A script in ECMAScript 5, as most packages are published, which Rhino runs as Node.js does but
 * for a few details that are edited in the text.
 *
 * <p>It takes milliseconds where Babel takes seconds. The lines of the result are those of the
 * source. Only what is known to be plain is accepted; everything else is left to Babel.
 */
final class PlainScript {

  /** The statements, or parts of them, that need no lowering, by the names of their classes. */
  private static final Set<String> STATEMENTS =
      Set.of(
          ("AstRoot Block BreakStatement CatchClause Comment ContinueStatement DoLoop"
                  + " EmptyStatement ExpressionStatement ForInLoop ForLoop IfStatement Label"
                  + " LabeledStatement ReturnStatement Scope SwitchCase SwitchStatement"
                  + " ThrowStatement TryStatement VariableDeclaration VariableInitializer WhileLoop")
              .split(" "));

  /** The expressions that need no lowering. */
  private static final Set<String> EXPRESSIONS =
      Set.of(
          ("ArrayLiteral Assignment ConditionalExpression ElementGet EmptyExpression FunctionCall"
                  + " FunctionNode InfixExpression KeywordLiteral Name NewExpression NumberLiteral"
                  + " ObjectLiteral ObjectProperty ParenthesizedExpression PropertyGet"
                  + " RegExpLiteral StringLiteral UnaryExpression UpdateExpression")
              .split(" "));

  /** The operators of later editions, some of which Rhino evaluates in another order. */
  private static final Set<Integer> LATER_OPERATORS =
      Set.of(
          Token.NULLISH_COALESCING,
          Token.ASSIGN_NULLISH,
          Token.ASSIGN_LOGICAL_AND,
          Token.ASSIGN_LOGICAL_OR,
          Token.QUESTION_DOT);

  /** Names that are keywords for Rhino only. */
  private static final Set<String> RESERVED = Set.of("await", "let", "yield");

  /** Characters that Rhino's scanner drops, or takes for the end of a line. */
  private static final Pattern FORMAT = Pattern.compile("[\\p{Cf}\u180e\u2028\u2029]");

  private static final Pattern LEGACY_OCTAL = Pattern.compile("0[0-9].*");

  /** The start of the function as the body of which the script is parsed. */
  private static final String HEAD = "(function(){";

  private final String source;
  private final BinaryOperator<String> regExps;
  private final List<Edit> edits = new ArrayList<>();
  private final Set<String> requires = new LinkedHashSet<>();
  private final String self;

  /** The functions that begin with the declaration of {@link #self}. */
  private final Set<FunctionNode> replacedThis = new HashSet<>();

  /** The end of the last list that was put into a separate function. */
  private int separated;

  /** Whether nothing was found that needs lowering. */
  private boolean plain = true;

  /** A replacement of a part of the source. */
  private record Edit(int start, int end, String text) {}

  /**
   * A script that needs no lowering.
   *
   * @param code the script, with the lines of the source
   * @param requires the distinct literal names in its {@code require} calls
   */
  record Plain(String code, Set<String> requires) {}

  private PlainScript(String source, BinaryOperator<String> regExps) {
    this.source = source;
    this.regExps = regExps;
    String name = "self$";
    while (source.contains(name)) {
      name += "$";
    }
    this.self = name;
  }

  /**
   * Converts a script.
   *
   * @param regExps from the pattern and the flags of a regular expression, returns the pattern for
   *     Rhino; null if Rhino cannot match it as Node.js does
   * @return empty if the script is not plain
   */
  static Optional<Plain> of(String source, BinaryOperator<String> regExps) {
    CompilerEnvirons syntax = new CompilerEnvirons();
    syntax.setLanguageVersion(Context.VERSION_ES6);
    syntax.setRecordingComments(true);
    syntax.setXmlAvailable(false);
    syntax.setReservedKeywordAsIdentifier(true);
    syntax.setAllowSharpComments(false);
    if (FORMAT.matcher(source).find()) {
      return Optional.empty();
    }
    String script = source.startsWith("#!") ? "//" + source.substring(2) : source;
    PlainScript converter = new PlainScript(script, regExps);
    try {
      AstRoot root = new Parser(syntax).parse(HEAD + script + "\n})", "module", 1);
      return converter.converted(root);
    } catch (EvaluatorException | StackOverflowError | IllegalStateException notPlain) {
      return Optional.empty();
    }
  }

  private Optional<Plain> converted(AstRoot root) {
    FunctionNode wrapper = wrapper(root);
    root.visit(
        node -> {
          if (plain) {
            inspect(node, wrapper);
          }
          return plain;
        });
    if (root.getComments() != null) {
      root.getComments().forEach(this::remove);
    }
    return plain ? Optional.of(new Plain(edited(), requires)) : Optional.empty();
  }

  private void remove(Comment comment) {
    String text = source.substring(start(comment), start(comment) + comment.getLength());
    boolean whole = text.startsWith("/*") ? text.endsWith("*/") : text.startsWith("//");
    require(whole && comment.getCommentType() != Token.CommentType.HTML);
    // Lines keep their numbers.
    replace(start(comment), text, " " + text.replaceAll("[^\n]", ""));
  }

  private static FunctionNode wrapper(AstRoot root) {
    AstNode statement = (AstNode) root.getFirstChild();
    AstNode expression = ((ExpressionStatement) statement).getExpression();
    return (FunctionNode) ((ParenthesizedExpression) expression).getExpression();
  }

  private void inspect(AstNode node, FunctionNode wrapper) {
    String kind = node.getClass().getSimpleName();
    if ((!STATEMENTS.contains(kind) && !EXPRESSIONS.contains(kind))
        || LATER_OPERATORS.contains(node.getType())) {
      plain = false;
    } else if (node instanceof FunctionNode function) {
      require(isPlain(function));
    } else if (node instanceof VariableDeclaration declaration) {
      require(declaration.isVar());
    } else if (node instanceof VariableInitializer variable) {
      require(variable.getTarget() instanceof Name);
    } else if (node instanceof ForInLoop loop) {
      require(!loop.isForOf() && !loop.isForEach());
    } else if (node instanceof CatchClause clause) {
      require(clause.getVarName() != null && clause.getCatchCondition() == null);
    } else if (node instanceof ObjectProperty property) {
      require(isPlain(property));
    } else if (node instanceof DestructuringForm form) {
      require(!form.isDestructuring());
      if (node instanceof ArrayLiteral list && list.getSkipCount() > 0) {
        separate(list);
      }
    } else if (node instanceof PropertyGet property) {
      require(!property.getProperty().getIdentifier().equals("arity"));
    } else if (node instanceof ElementGet get && get.getElement() instanceof StringLiteral name) {
      require(!name.getValue().equals("arity"));
    } else if (node instanceof Name name) {
      require(!RESERVED.contains(name.getIdentifier()));
    } else if (node instanceof NumberLiteral number) {
      require(!LEGACY_OCTAL.matcher(number.getValue()).matches());
    } else if (node instanceof RegExpLiteral regExp) {
      adapt(regExp);
    } else if (node instanceof FunctionCall call) {
      inspectCall(call);
    } else if (node instanceof KeywordLiteral keyword) {
      require(keyword.getType() != Token.SUPER);
      if (keyword.getType() == Token.THIS) {
        replaceThis(keyword, wrapper);
      }
    }
  }

  /**
   * Puts a list of data that has holes into a separate function: Rhino has room for 256 such lists
   * in a function. Lists with other elements stay where they are.
   */
  private void separate(ArrayLiteral list) {
    int start = start(list);
    int end = start + list.getLength();
    // Rhino visits nodes in the order of the source, so a list before that end is an inner one.
    if (start >= separated && isData(list)) {
      require(source.startsWith("[", start) && source.startsWith("]", end - 1));
      edits.add(new Edit(start, start, "(function(){return "));
      edits.add(new Edit(end, end, "})()"));
      separated = end;
    }
  }

  private static boolean isData(AstNode node) {
    return node instanceof ArrayLiteral list
        ? list.getElements().stream().allMatch(PlainScript::isData)
        : node instanceof StringLiteral
            || node instanceof NumberLiteral
            || node instanceof EmptyExpression
            || (node instanceof UnaryExpression sign && isData(sign.getOperand()))
            || (node instanceof KeywordLiteral keyword && keyword.getType() != Token.THIS);
  }

  private void require(boolean condition) {
    plain &= condition;
  }

  private static boolean isPlain(FunctionNode function) {
    return function.getFunctionType() != FunctionNode.ARROW_FUNCTION
        && function.getFunctionType() != FunctionNode.FUNCTION_EXPRESSION_STATEMENT
        && !function.isGenerator()
        && !function.isES6Generator()
        && !function.hasRestParameter()
        && !function.isNormalMethod()
        && !function.isExpressionClosure()
        && (function.getDefaultParams() == null || function.getDefaultParams().isEmpty())
        && function.getParams().stream().allMatch(Name.class::isInstance);
  }

  private static boolean isPlain(ObjectProperty property) {
    boolean shorthand =
        property.getKey().getAbsolutePosition() == property.getValue().getAbsolutePosition();
    return property.isGetterMethod()
        || property.isSetterMethod()
        || (!property.isNormalMethod() && !shorthand);
  }

  private void inspectCall(FunctionCall call) {
    if (call.isOptionalCall()
        || (call instanceof NewExpression made && made.getInitializer() != null)) {
      plain = false;
      return;
    }
    if (!(call.getTarget() instanceof Name function)
        || call.getArguments().isEmpty()
        || !(call.getArguments().get(0) instanceof StringLiteral first)) {
      return;
    }
    if (function.getIdentifier().equals("require")) {
      requires.add(first.getValue());
    } else if (function.getIdentifier().equals("RegExp")) {
      adapt(call, first);
    }
  }

  /** Adapts the pattern of {@code new RegExp} from literals. */
  private void adapt(FunctionCall call, StringLiteral first) {
    AstNode second = call.getArguments().size() > 1 ? call.getArguments().get(1) : null;
    if (second != null && !(second instanceof StringLiteral)) {
      return;
    }
    String flags = second == null ? "" : ((StringLiteral) second).getValue();
    String adapted = regExps.apply(first.getValue(), flags);
    // The literal is visited after the call: an edit of it would be a second one.
    require(first.getValue().equals(adapted));
  }

  private void adapt(RegExpLiteral literal) {
    String adapted =
        regExps.apply(literal.getValue(), literal.getFlags() == null ? "" : literal.getFlags());
    if (adapted == null) {
      plain = false;
    } else {
      replace(start(literal), "/" + literal.getValue() + "/", "/" + adapted + "/");
    }
  }

  /**
   * A strict function that is called without an object has no {@code this}; Rhino passes the global
   * object.
   */
  private void replaceThis(KeywordLiteral keyword, FunctionNode wrapper) {
    FunctionNode function = keyword.getEnclosingFunction();
    if (function == wrapper || !isStrict(function) || function.isMethod()) {
      return;
    }
    if (replacedThis.add(function)) {
      int start = afterDirectives(function);
      String declaration = ";var " + self + " = this === globalThis ? void 0 : this;";
      edits.add(new Edit(start, start, declaration));
    }
    replace(start(keyword), "this", self);
  }

  /** Returns whether a function, or one around it, has the directive "use strict". */
  private static boolean isStrict(FunctionNode function) {
    for (FunctionNode at = function; at != null; at = at.getEnclosingFunction()) {
      if (at.isInStrictMode()) {
        return true;
      }
    }
    return false;
  }

  /** Returns the position in the body of a function behind directives such as "use strict". */
  private int afterDirectives(FunctionNode function) {
    int end = start(function.getBody()) + 1;
    require(source.startsWith("{", end - 1));
    for (Node each : function.getBody()) {
      if (!(each instanceof ExpressionStatement statement)
          || !(statement.getExpression() instanceof StringLiteral directive)) {
        break;
      }
      int start = start(directive);
      end = source.indexOf(directive.getQuoteCharacter(), start + 1) + 1;
      require(end > start + 1 && source.charAt(start) == directive.getQuoteCharacter());
    }
    return end;
  }

  private static int start(AstNode node) {
    return node.getAbsolutePosition() - HEAD.length();
  }

  /** Replaces a text, which must be where the parser says: its positions are not always right. */
  private void replace(int start, String text, String by) {
    require(source.startsWith(text, start));
    if (!text.equals(by)) {
      edits.add(new Edit(start, start + text.length(), by));
    }
  }

  private String edited() {
    StringBuilder code = new StringBuilder(source.length());
    int end = 0;
    edits.sort(Comparator.comparingInt(Edit::start));
    for (Edit edit : edits) {
      code.append(source, end, edit.start()).append(edit.text());
      end = edit.end();
    }
    return code.append(source, end, source.length()).toString();
  }
}
