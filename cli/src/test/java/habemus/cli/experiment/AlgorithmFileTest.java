package habemus.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.cli.CliRunner;
import habemus.lab.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An algorithm in a single Java file outside the tree, in the commands run, check and fuzz. */
class AlgorithmFileTest {

    private static final String RING = """
            import habemus.protocol.*;

            public record MyRing(Ranking ranking) implements Election<MyRing.State, MyRing.Message> {
                public sealed interface Message {
                    record Candidate(NodeId id) implements Message {}
                    record Elected(NodeId id) implements Message {}
                }

                public record State(NodeId self, NodeId next, boolean campaigning) {}

                @Override
                public Step<State, Message> start(Neighbourhood around) {
                    return to(new State(around.self(), around.next(), false));
                }

                @Override
                public Step<State, Message> campaign(State s) {
                    return s.campaigning
                            ? to(s)
                            : to(new State(s.self, s.next, true)).send(s.next, new Message.Candidate(s.self));
                }

                @Override
                public Step<State, Message> receive(State s, NodeId from, Message message) {
                    return switch (message) {
                        case Message.Candidate(var id) when ranking.isBetter(id, s.self) ->
                            to(new State(s.self, s.next, true)).send(s.next, message);
                        case Message.Candidate(var id) when ranking.isBetter(s.self, id) -> campaign(s);
                        case Message.Candidate(var id) -> to(s).elected(id, 1).send(s.next, new Message.Elected(id));
                        case Message.Elected(var id) when id.equals(s.self) -> to(s);
                        case Message.Elected(var id) -> to(s).elected(id, 1).send(s.next, message);
                    };
                }
            }
            """;

    @TempDir
    Path folder;

    private String write(String text) throws IOException {
        return Files.writeString(folder.resolve("MyRing.java"), text).toString();
    }

    @Test
    void check_run_and_fuzz_accept_a_file() throws IOException {
        var file = write(RING);
        var checked = CliRunner.run("check", file);
        assertThat(checked.err()).isEmpty();
        assertThat(checked.code()).isEqualTo(ExitCode.OK);
        assertThat(checked.out()).startsWith(file + ": 3 nodes").contains("agreement              holds");
        assertThat(CliRunner.run("run", file, "-n", "4", "--topology", "ring:4,3,2,1", "--rank", "2=9")
                        .out())
                .contains("replay with  ./habemus run " + file);
        assertThat(CliRunner.run("fuzz", file, "--seeds", "20").out()).contains("nothing");
    }

    @Test
    void a_counterexample_of_a_file_can_be_replayed() throws IOException {
        var file = write(RING.replace("when id.equals(s.self) -> to(s)", "when id.equals(s.next) -> to(s)"));
        var checked = CliRunner.run("check", file, "--json").json();
        assertThat(checked.get("verdict").getAsString()).isEqualTo("violated");
        var replayed = CliRunner.line(checked.get("replay").getAsString());
        assertThat(replayed.code()).isEqualTo(ExitCode.VIOLATED);
    }

    @Test
    void a_compile_error_names_the_line_and_shows_it() throws IOException {
        var file = write(RING.replace("campaign(s);", "campaing(s);"));
        var checked = CliRunner.run("check", file);
        assertThat(checked.code()).isEqualTo(ExitCode.USAGE);
        assertThat(checked.err())
                .contains(file + ":28: cannot find symbol")
                .contains("case Message.Candidate(var id) when ranking.isBetter(s.self, id) -> campaing(s);")
                .contains("hint: correct the first error first");
    }

    @Test
    void a_mutable_field_an_array_a_clock_and_a_hash_set_are_rejected_with_their_line() throws IOException {
        var mutable = RING.replace("public sealed", "private static int count;\n    public sealed");
        assertThat(CliRunner.run("check", write(mutable)).err())
                .contains(":4: field 'count' is mutable")
                .contains("hint: keep what changes in the state");
        var array = RING.replace("boolean campaigning) {}", "boolean campaigning, int[] seen) {}")
                .replace("next(), false", "next(), false, null")
                .replace("s.next, true", "s.next, true, null");
        assertThat(CliRunner.run("check", write(array)).err()).contains("field 'seen' is an array");
        var clock = RING.replace("elected(id, 1)", "elected(id, System.nanoTime())");
        assertThat(CliRunner.run("check", write(clock)).err())
                .contains("must not use System")
                .contains("hint: implement Timed");
        var set = RING.replace("boolean campaigning) {}", "boolean campaigning, java.util.Set<NodeId> seen) {}")
                .replace("next(), false", "next(), false, null")
                .replace("s.next, true", "s.next, true, null");
        assertThat(CliRunner.run("check", write(set)).err()).contains("must not use Set (its order differs");
    }

    @Test
    void a_file_without_an_algorithm_is_told_what_is_missing() throws IOException {
        assertThat(CliRunner.run("run", write("public class MyRing {}")).err())
                .contains("holds no algorithm (none of MyRing implements one of these):")
                .contains("Election<State, Message>");
        var constructor = RING.replace("MyRing(Ranking ranking)", "MyRing(Ranking ranking, String name)");
        assertThat(CliRunner.run("run", write(constructor)).err())
                .contains("has no usable constructor: MyRing(Ranking, String)");
        assertThat(CliRunner.run("run", folder.resolve("Other.java").toString()).err())
                .contains("no such file");
    }

    @Test
    void an_exception_of_the_algorithm_is_a_protocol_bug_with_its_run_and_line() throws IOException {
        var file = write(RING.replace("-> campaign(s);", "-> to(java.util.List.<State>of().get(0));"));
        assertThat(CliRunner.run("check", file).out())
                .contains("a shortest run to protocol-bug violated")
                .contains("at MyRing.java:28");
    }
}
