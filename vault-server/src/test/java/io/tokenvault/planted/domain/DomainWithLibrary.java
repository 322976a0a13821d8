package io.tokenvault.planted.domain;

import com.fasterxml.jackson.databind.JsonNode;

/** Breaks: the domain uses the JDK only; Jackson stays out of it. */
record DomainWithLibrary(JsonNode node) {}
