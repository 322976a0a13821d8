package io.tokenvault.adapters.jdbi.sql;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.domain.access.AccessRule;
import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Condition;
import io.tokenvault.domain.access.Condition.Attribute;
import io.tokenvault.domain.access.Condition.Operator;
import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.access.TokenSelector;
import io.tokenvault.domain.access.TokenSelector.InContainer;
import io.tokenvault.domain.access.TokenSelector.MeetsAll;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Columns that hold JSON: access rules of applications and metadata of tokens.
 *
 * <p>The format is the vault's own and is stored for years: a property may be added, none may
 * change its meaning.
 */
public final class StoredJson {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private StoredJson() {}

  /** Returns access rules as a JSON array. */
  public static String rules(List<AccessRule> rules) {
    ArrayNode array = MAPPER.createArrayNode();
    rules.forEach(rule -> array.add(node(rule)));
    return array.toString();
  }

  private static ObjectNode node(AccessRule rule) {
    ObjectNode node = MAPPER.createObjectNode();
    node.put("description", rule.description());
    node.put("priority", rule.priority());
    node.put("transform", rule.transform().value());
    ArrayNode permissions = node.putArray("permissions");
    rule.permissions().forEach(permission -> permissions.add(permission.type()));
    if (rule.selector() instanceof InContainer in) {
      node.put("container", in.container().path());
    } else if (rule.selector() instanceof MeetsAll all) {
      ArrayNode conditions = node.putArray("conditions");
      all.conditions().forEach(condition -> conditions.add(node(condition)));
    }
    return node;
  }

  private static ObjectNode node(Condition condition) {
    ObjectNode node = MAPPER.createObjectNode();
    node.put("attribute", condition.attribute().value());
    node.put("operator", condition.operator().value());
    node.put("value", condition.value());
    return node;
  }

  /**
   * Reads access rules that {@link #rules} wrote.
   *
   * @throws IllegalStateException if the text is not JSON
   */
  static List<AccessRule> toRules(String json) {
    List<AccessRule> rules = new ArrayList<>();
    read(json).forEach(node -> rules.add(toRule(node)));
    return rules;
  }

  private static AccessRule toRule(JsonNode node) {
    List<Permission> permissions = new ArrayList<>();
    node.get("permissions")
        .forEach(each -> permissions.add(Permission.of(each.textValue()).orElseThrow()));
    return new AccessRule(
        node.get("description").textValue(),
        node.get("priority").intValue(),
        toSelector(node),
        AccessTransform.of(node.get("transform").textValue()).orElseThrow(),
        permissions);
  }

  /** Reads a rule's selector: a container if it has one, otherwise its conditions. */
  private static TokenSelector toSelector(JsonNode rule) {
    if (rule.has("container")) {
      return new InContainer(new Container(rule.get("container").textValue()));
    }
    List<Condition> conditions = new ArrayList<>();
    rule.get("conditions").forEach(node -> conditions.add(toCondition(node)));
    return new MeetsAll(conditions);
  }

  private static Condition toCondition(JsonNode node) {
    return new Condition(
        Attribute.of(node.get("attribute").textValue()).orElseThrow(),
        Operator.of(node.get("operator").textValue()).orElseThrow(),
        node.get("value").textValue());
  }

  /** Returns metadata as a JSON object of strings. */
  public static String texts(Map<String, String> texts) {
    ObjectNode node = MAPPER.createObjectNode();
    texts.forEach(node::put);
    return node.toString();
  }

  /** Reads metadata that {@link #texts} wrote. Keeps the order of the stored properties. */
  static Map<String, String> toTexts(String json) {
    Map<String, String> texts = new LinkedHashMap<>();
    read(json).properties().forEach(each -> texts.put(each.getKey(), each.getValue().textValue()));
    return texts;
  }

  private static JsonNode read(String json) {
    try {
      return MAPPER.readTree(json);
    } catch (JsonProcessingException unreadable) {
      // The parser's message quotes the stored text, so it is omitted.
      throw new IllegalStateException("a stored JSON column cannot be read");
    }
  }
}
