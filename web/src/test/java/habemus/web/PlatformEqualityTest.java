package habemus.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same classes give the same results: on the JVM, in Node as JavaScript, in Chromium as WebAssembly. */
@Tag("slow")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class PlatformEqualityTest {

    private static final Path CALLS = Path.of("target", "gate", "calls.jsonl");

    private static List<EngineCall> calls = List.of();
    private static List<String> expected = List.of();

    @BeforeAll
    static void call_the_engine_on_the_jvm() throws IOException {
        calls = EngineCalls.all(Path.of("..", "scenarios"));
        expected =
                calls.stream().map(EngineCall::answer).map(EngineCall::digest).toList();
        Files.createDirectories(CALLS.getParent());
        Files.write(CALLS, calls.stream().map(EngineCall::json).toList());
    }

    @Test
    void the_engine_accepts_every_call() {
        assertThat(expected).noneMatch(answer -> answer.startsWith("{\"error\""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"node", "chromium"})
    void every_call_has_the_answer_of_the_jvm(String platform) throws IOException, InterruptedException {
        var answers = NodeScript.run("gate.mjs", platform, "target/engine", CALLS.toString());
        for (int i = 0; i < Math.min(answers.size(), calls.size()); i++) {
            assertThat(answers.get(i))
                    .as(
                            "%s; the whole answer: node page/test/gate.mjs %s target/engine %s --text %d",
                            calls.get(i), platform, CALLS, i)
                    .isEqualTo(expected.get(i));
        }
        assertThat(answers).hasSameSizeAs(calls);
    }
}
