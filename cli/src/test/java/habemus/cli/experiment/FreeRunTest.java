package habemus.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.cli.CliRunner;
import habemus.lab.command.CommandException;
import habemus.lab.experiment.Experiment;
import habemus.lab.experiment.ExperimentParser;
import habemus.lab.experiment.Fork;
import habemus.lab.experiment.FreeRun;
import habemus.lab.experiment.Intervention;
import habemus.lab.experiment.ReplayCommandLine;
import habemus.lab.experiment.RunArguments;
import habemus.lab.experiment.RunCommandLine;
import habemus.lab.experiment.WorldOption;
import habemus.protocol.NodeId;
import habemus.world.InFlightMessage;
import habemus.world.Problem;
import habemus.world.TraceEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Free mode: the moves that are offered are those that the player accepts. */
class FreeRunTest {

    private static final int STEPS = 30;

    static Stream<String> algorithms() {
        return Catalogue.ALL.stream().map(Algorithm::name);
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void the_player_accepts_every_choice_and_no_other_move(String name) {
        var random = new Random(name.hashCode());
        boolean threads = Catalogue.find(name).orElseThrow().problem() == Problem.THREADS;
        var arguments = FreeRun.start(
                        CliRunner.experiment(name + (threads ? "" : " -n 3")).arguments())
                .arguments();
        int thorough = random.nextInt(STEPS); // all moves are tried at one step
        for (int step = 0; step < STEPS; step++) {
            var choices = FreeRun.choices(arguments);
            assertEnd(choices);
            var line = ReplayCommandLine.of(arguments);
            if (step % 3 == 0 || step == thorough) {
                int tried = step == thorough ? 15 : 1;
                var offered = choices.moves().stream().map(FreeRun.Choice::move).collect(Collectors.toSet());
                for (String move : some(offered, tried, random)) {
                    assertThat(isPossible(arguments, move))
                            .as("%s: %s", line, move)
                            .isTrue();
                }
                for (String move : some(others(ExperimentParser.parse(arguments), offered), tried, random)) {
                    assertThat(isPossible(arguments, move))
                            .as("%s: no %s", line, move)
                            .isFalse();
                }
            }
            var next = next(choices, random);
            if (next.isEmpty()) {
                break;
            }
            arguments = step % 5 == 0 ? fork(arguments, next) : with(arguments, next);
        }
    }

    /** Checks that the move changes nothing that was before. */
    private static RunArguments fork(RunArguments arguments, String move) {
        int cursor = trace(ExperimentParser.parse(arguments)).size() - 1;
        var fork = Fork.of(arguments, cursor, new Intervention.NextMoves(move));
        assertThat(fork).isEqualTo(with(arguments, move));
        return fork;
    }

    private static RunArguments with(RunArguments arguments, String move) {
        var moves = arguments.value(WorldOption.MOVES).text();
        return arguments.with(WorldOption.MOVES, moves.isEmpty() ? move : moves + "." + move);
    }

    /** A few of them: each is played from the start. */
    private static List<String> some(Set<String> moves, int count, Random random) {
        var shuffled = new ArrayList<>(moves.stream().sorted().toList());
        Collections.shuffle(shuffled, random);
        return shuffled.subList(0, Math.min(count, shuffled.size()));
    }

    /** Mostly no fault. */
    private static String next(FreeRun.Choices choices, Random random) {
        var moves = choices.moves().stream()
                .filter(choice -> !choice.isFault() || random.nextInt(6) == 0)
                .toList();
        return moves.isEmpty() ? "" : moves.get(random.nextInt(moves.size())).move();
    }

    private static boolean isPossible(RunArguments arguments, String move) {
        try {
            ExperimentParser.parse(with(arguments, move)).run();
            return true;
        } catch (CommandException impossible) {
            return false;
        }
    }

    private static List<TraceEvent> trace(Experiment experiment) {
        var trace = new ArrayList<TraceEvent>();
        experiment.run(trace::add);
        return trace;
    }

    /** A run that is at rest has no message that must arrive. */
    private static void assertEnd(FreeRun.Choices choices) {
        var arrivals = Set.of("RECEIVE", "TIMEOUT", "RELEASE", "SUSPECT", "SYNC", "DROP_AT_DOWN_NODE");
        if (choices.isAtRest()) {
            assertThat(choices.moves())
                    .noneMatch(choice -> arrivals.contains(choice.kind().name()));
        }
    }

    /** Moves of every simple form at every node and every pair of nodes, which are not offered. */
    private static Set<String> others(Experiment experiment, Set<String> offered) {
        var moves = new HashSet<String>();
        for (NodeId node : experiment.world().topology().nodes()) {
            for (String verb :
                    List.of("request", "release", "crash", "restart", "amnesia", "propose", "read", "leave")) {
                moves.add(node.number() + verb);
            }
            for (NodeId peer : experiment.world().topology().nodes()) {
                for (String verb : List.of("from", "lost", "twice", "dropped", "suspect", "restore", "mistake")) {
                    moves.add(node.number() + verb + peer.number());
                }
            }
        }
        var plain = offered.stream().map(move -> move.replaceAll(":.*", "")).collect(Collectors.toSet());
        moves.removeIf(plain::contains);
        return moves;
    }

    @Test
    void a_free_run_starts_without_moves() {
        var start = FreeRun.start(CliRunner.experiment("bully -n 4 --names Ana,Bia,Caio,Davi --crash Ana@5 --seed 3"
                        + " --network lossy --rank 1=5 --answer 9")
                .arguments());
        assertThat(ReplayCommandLine.of(start.arguments()))
                .isEqualTo("./habemus run bully -n 4 --rank 1=5 --names Ana,Bia,Caio,Davi --network bag --moves ''"
                        + " --answer 9");
        assertThat(start.dropped()).containsExactly(WorldOption.SEED, WorldOption.NETWORK, WorldOption.CRASH);
        assertThat(FreeRun.start(start.arguments()).arguments()).isEqualTo(start.arguments());
        var ring = FreeRun.start(CliRunner.experiment("chang-roberts -n 4 --topology ring:random --seed 9")
                .arguments());
        assertThat(ReplayCommandLine.of(ring.arguments())).contains("--topology ring:");
    }

    @Test
    void a_run_without_moves_is_replayed() {
        var cli = CliRunner.line("run ricart-agrawala -n 2 --moves ''");
        assertThat(cli.out()).contains("replay with  ./habemus run ricart-agrawala -n 2 --moves ''");
        assertThat(cli.code()).isZero();
        assertThat(RunCommandLine.parse("./habemus run ricart-agrawala -n 2 --moves ''"))
                .isEqualTo(
                        CliRunner.experiment("ricart-agrawala -n 2 --moves ''").arguments());
    }

    @Test
    void a_choice_has_its_message_and_its_text() {
        var choices = choices("ricart-agrawala -n 2 --names Ana,Bia --moves 1request");
        assertThat(choices.isAtRest()).isFalse();
        assertThat(texts(choices))
                .containsEntry("2request", "Bia acquire")
                .containsEntry("2from1", "Bia receives Request(1@Ana) from Ana")
                .containsEntry("2lost1", "Request(1@Ana) from Ana to Bia is lost")
                .containsEntry("2twice1", "Bia receives Request(1@Ana) from Ana, and a copy follows")
                .containsEntry("1crash", "Ana crashes");
        assertThat(choices.moves())
                .filteredOn(choice -> choice.move().equals("2from1"))
                .singleElement()
                .satisfies(choice -> {
                    assertThat(choice.isFault()).isFalse();
                    assertThat(choice.node()).isEqualTo(new NodeId(2));
                    assertThat(choice.peer()).isEqualTo(new NodeId(1));
                    assertThat(choice.message())
                            .extracting(InFlightMessage::number)
                            .isEqualTo(1L);
                });
        assertThat(faults(choices)).contains("2lost1", "2twice1", "1crash", "2crash");
    }

    @Test
    void a_down_node_restarts_and_drops_messages() {
        var choices = choices("bully -n 2 --moves 2crash.1request");
        assertThat(faults(choices)).contains("2restart", "2amnesia").doesNotContain("2crash");
        assertThat(texts(choices)).containsKeys("1suspect2", "2dropped1");
    }

    @Test
    void pauses_need_synchronous_time() {
        assertThat(faults(choices("central -n 3 --timing synchronous --moves 2request")))
                .contains("2pause");
        assertThat(faults(choices("central -n 3 --moves 2request"))).doesNotContain("2pause");
    }

    @Test
    void a_partition_drops_messages_and_heals() {
        var choices = choices("ricart-agrawala -n 3 --moves 1request.2partition-2_3");
        assertThat(texts(choices)).containsKeys("2cut1", "3cut1", "2heal").doesNotContainKeys("2from1");
        assertThat(faults(choices)).noneMatch(move -> move.contains("partition"));
    }

    @Test
    void members_join_and_leave() {
        assertThat(faults(choices("bully -n 2 --moves ''"))).contains("3join", "1leave");
        assertThat(texts(choices("bully -n 2 --moves 3join"))).containsKey("1joined3");
        assertThat(faults(choices("chang-roberts -n 2 --moves ''"))).doesNotContain("3join", "1leave");
    }

    @Test
    void choices_need_moves() {
        assertThatThrownBy(() -> choices("bully"))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("choices need a run that is given move by move");
    }

    private static FreeRun.Choices choices(String line) {
        return FreeRun.choices(CliRunner.experiment(line).arguments());
    }

    private static Map<String, String> texts(FreeRun.Choices choices) {
        return choices.moves().stream().collect(Collectors.toMap(FreeRun.Choice::move, FreeRun.Choice::text));
    }

    private static List<String> faults(FreeRun.Choices choices) {
        return choices.moves().stream()
                .filter(FreeRun.Choice::isFault)
                .map(FreeRun.Choice::move)
                .toList();
    }
}
