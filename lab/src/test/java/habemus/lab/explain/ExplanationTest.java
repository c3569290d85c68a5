package habemus.lab.explain;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.Catalogue;
import habemus.lab.language.Language;
import habemus.protocol.ClientServer;
import habemus.protocol.Envelope;
import habemus.protocol.Protocol;
import habemus.world.Problem;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every algorithm is explained, in both languages, and no message of it is forgotten. */
class ExplanationTest {

    static Stream<String> algorithms() {
        return Catalogue.ALL.stream().map(Algorithm::name);
    }

    static Stream<String> withMessages() {
        return Catalogue.ALL.stream()
                .filter(algorithm -> algorithm.problem() != Problem.THREADS)
                .map(Algorithm::name);
    }

    private static Explanation explanation(String name, Language language) {
        return Explanation.of(Catalogue.find(name).orElseThrow(), language).orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void an_algorithm_has_an_idea_in_every_language(String name) {
        for (Language language : Language.values()) {
            var explanation = explanation(name, language);
            assertThat(explanation.title()).isNotBlank();
            assertThat(explanation.idea())
                    .isNotEmpty()
                    .allSatisfy(text -> assertThat(text).doesNotContain("](", "`", "\n"));
        }
    }

    @ParameterizedTest
    @MethodSource("withMessages")
    void the_rules_say_what_happens_at_every_call_and_message(String name) {
        var events = explanation(name, Language.ENGLISH).rules().stream()
                .map(Explanation.Rule::when)
                .toList();
        assertThat(expected(Catalogue.find(name).orElseThrow()))
                .allSatisfy(event -> assertThat(events)
                        .as("a rule for %s", event)
                        .anyMatch(when -> Arrays.asList(when.split("\\W+", -1)).contains(event)));
    }

    /** The rules of a language are those of the other: the same events, messages and options, in the same order. */
    @ParameterizedTest
    @MethodSource("withMessages")
    void the_rules_are_the_same_in_every_language(String name) {
        var english = explanation(name, Language.ENGLISH).rules();
        var portuguese = explanation(name, Language.PORTUGUESE).rules();
        assertThat(portuguese).hasSameSizeAs(english);
        for (int i = 0; i < english.size(); i++) {
            assertThat(names(portuguese.get(i))).as(english.get(i).toString()).isEqualTo(names(english.get(i)));
        }
    }

    /** Words that are not of a language: options, calls, and messages in camel case or after the first word. */
    private static List<String> names(Explanation.Rule rule) {
        return Stream.of((rule.when() + " " + rule.does()).split("[^\\w-]+", -1))
                .filter(word -> word.matches("--[a-z-]+|acquire|release|campaign|[A-Z][A-Za-z]+"))
                .sorted()
                .toList();
    }

    private static List<String> expected(Algorithm algorithm) {
        var protocol = algorithm.create(AlgorithmParameters.defaults());
        var events = new ArrayList<String>();
        switch (algorithm.problem()) {
            case MUTEX -> events.addAll(List.of("acquire", "release"));
            case ELECTION -> events.add("campaign");
            case DETECTOR, LOG, THREADS -> {}
        }
        messages(messageType(protocol.getClass())).forEach(events::add);
        if (protocol instanceof ClientServer) {
            events.addAll(List.of("Submit", "Propose", "Result"));
        }
        return events;
    }

    /** The names of the message types, without those that only carry another message. */
    private static Stream<String> messages(Class<?> type) {
        return type.isSealed()
                ? Arrays.stream(type.getPermittedSubclasses()).flatMap(ExplanationTest::messages)
                : type.isRecord() && !Envelope.class.isAssignableFrom(type)
                        ? Stream.of(type.getSimpleName())
                        : Stream.of();
    }

    /** The second type argument of the protocol that a class implements. */
    private static Class<?> messageType(Class<?> type) {
        for (Type implemented : type.getGenericInterfaces()) {
            if (implemented instanceof ParameterizedType known
                    && known.getRawType() instanceof Class<?> raw
                    && Protocol.class.isAssignableFrom(raw)) {
                return (Class<?>) known.getActualTypeArguments()[1];
            }
        }
        return messageType(type.getSuperclass());
    }
}
