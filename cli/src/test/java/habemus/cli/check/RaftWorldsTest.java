package habemus.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.cli.CliRunner;
import habemus.lab.benchmark.MarkdownSection;
import habemus.lab.table.TextTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The small worlds in which Raft is checked. Each is complete, all safety properties hold, and the number of states is
 * pinned: a changed count is the cheapest sign that the machine behaves differently.
 *
 * <p>Worlds with more states than {@link #MAX_STATES} are checked with {@code -Dhabemus.campaign=true}.
 */
@Tag("slow")
class RaftWorldsTest {

    private static final long MAX_STATES = 200_000;
    private static final boolean CAMPAIGN = Boolean.getBoolean("habemus.campaign");
    private static final String COMMAND = "./verify -Dhabemus.rewrite=true";

    record RaftWorld(String name, String what, String options, long states, long transitions) {

        static RaftWorld parse(String line) {
            var parts = line.split(" \\| ", -1);
            return new RaftWorld(parts[0], parts[1], parts[2], Long.parseLong(parts[3]), Long.parseLong(parts[4]));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static List<RaftWorld> all() {
        try (var file = RaftWorldsTest.class.getResourceAsStream("raft-worlds.txt")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(RaftWorld::parse)
                    .toList();
        } catch (IOException unreadable) {
            throw new IllegalStateException(unreadable);
        }
    }

    private static Stream<RaftWorld> worlds() {
        return all().stream().filter(world -> CAMPAIGN || world.states <= MAX_STATES);
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void every_run_of_the_world_keeps_every_safety_property(RaftWorld world) {
        var json = CliRunner.line("check raft " + world.options + " --json").json();
        assertThat(json.get("complete").getAsBoolean()).isTrue();
        assertThat(json.get("states").getAsLong()).isEqualTo(world.states);
        assertThat(json.get("transitions").getAsLong()).isEqualTo(world.transitions);
        json.getAsJsonObject("properties")
                .asMap()
                .forEach((property, verdict) -> assertThat(verdict.getAsString())
                        .as(property)
                        .isIn(property.equals("progress") ? List.of("holds", "open") : List.of("holds")));
    }

    @Test
    void the_page_lists_the_worlds() throws IOException {
        var page = CliRunner.root().resolve("docs/raft.md");
        var section = MarkdownSection.find(Files.readString(page), COMMAND).orElseThrow();
        var table = new TextTable("world", "what happens", "states", "habemus check raft …");
        all().forEach(world ->
                table.row(world.name, world.what, "%,d".formatted(world.states), "`" + world.options + "`"));
        var expected = section.replaceWith(table.markdown());
        if (Boolean.getBoolean("habemus.rewrite")) {
            Files.writeString(page, expected);
        }
        assertThat(Files.readString(page)).isEqualTo(expected);
    }
}
