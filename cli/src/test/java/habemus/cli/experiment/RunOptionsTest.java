package habemus.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonPrimitive;
import habemus.cli.CliRunner;
import habemus.lab.experiment.LatencyParser;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Ranking;
import habemus.simulate.RunLimits;
import habemus.simulate.SwarmFaults;
import habemus.world.DetectorModel;
import habemus.world.Fault;
import habemus.world.FaultKind;
import habemus.world.LatencyModel;
import habemus.world.MessageFault;
import habemus.world.NetworkModel;
import habemus.world.Property;
import habemus.world.Workload;
import habemus.world.Workload.Request;
import habemus.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The effect of each option on the world. */
class RunOptionsTest {

    @Test
    void the_default_world_has_three_nodes_and_no_faults() {
        var experiment = CliRunner.experiment("bully");
        var kind = World.of(experiment.world().topology());
        assertThat(experiment.seed()).isEqualTo(1);
        assertThat(experiment.nodes()).isEqualTo(3);
        assertThat(experiment.world()).isEqualTo(kind);
    }

    @Test
    void a_ring_is_ascending_listed_descending_or_random() {
        assertThat(ring("-n 4")).containsExactly(1, 2, 3, 4);
        assertThat(ring("-n 4 --topology ring")).containsExactly(1, 2, 3, 4);
        assertThat(ring("--topology ring:17,n24,1")).containsExactly(17, 24, 1);
        assertThat(ring("-n 3 --topology ring:17,24,1")).containsExactly(17, 24, 1);
        assertThat(ring("-n 4 --topology ring:descending")).containsExactly(4, 3, 2, 1);
        assertThat(ring("-n 50 --topology ring:random"))
                .containsExactlyElementsOf(ring("-n 50 --topology ring:random"))
                .isNotEqualTo(ring("-n 50 --topology ring:random --seed 2"))
                .hasSize(50)
                .doesNotHaveDuplicates();
    }

    private static List<Integer> ring(String options) {
        var topology = CliRunner.experiment("chang-roberts " + options).world().topology();
        return topology.nodes().stream().map(NodeId::number).toList();
    }

    @Test
    void a_network_is_a_model_with_probabilities() {
        assertThat(world("--network bag").network()).isEqualTo(NetworkModel.BAG);
        assertThat(world("--network lossy").network()).isEqualTo(NetworkModel.LOSSY);
        assertThat(world("--network lossy --loss 0.5").network()).isEqualTo(NetworkModel.LOSSY.withLoss(0.5));
        assertThat(world("--network duplicating").network()).isEqualTo(NetworkModel.DUPLICATING);
        assertThat(world("--duplicates 1").network()).isEqualTo(NetworkModel.FIFO.withDuplication(1));
    }

    @Test
    void latency_is_one_of_four_kinds_and_may_differ_by_link() {
        assertThat(world("--latency fixed:1.5").latency())
                .isEqualTo(new LatencyModel.Fixed(Duration.ofNanos(1_500_000)));
        assertThat(world("--latency uniform:0..7").latency()).isEqualTo(new LatencyModel.Uniform(ms(0), ms(7)));
        assertThat(world("--latency exp:3").latency()).isEqualTo(new LatencyModel.Exponential(ms(3)));
        assertThat(world("--latency lognormal:3,0.5").latency()).isEqualTo(new LatencyModel.LogNormal(ms(3), 0.5));
        assertThat(world("--latency exp:3 --link '1>2=fixed:20' --link '2>1=fixed:9'")
                        .latency())
                .isEqualTo(new LatencyModel.PerLink(
                        new LatencyModel.Exponential(ms(3)),
                        List.of(
                                new LatencyModel.PerLink.Link(n(1), n(2), new LatencyModel.Fixed(ms(20))),
                                new LatencyModel.PerLink.Link(n(2), n(1), new LatencyModel.Fixed(ms(9))))));
    }

    @Test
    void a_latency_is_formatted_as_it_is_parsed() {
        Stream.of("fixed:1.5", "uniform:1..5", "exp:3", "lognormal:3,0.5")
                .forEach(text -> assertThat(
                                LatencyParser.format(world("--latency " + text).latency()))
                        .isEqualTo(text));
    }

    @Test
    void the_oracle_detector_has_a_delay_or_is_off() {
        assertThat(world("--detect 20").detector()).isEqualTo(new DetectorModel.Oracle(ms(20)));
        assertThat(world("--detect off").detector()).isEqualTo(new DetectorModel.None());
    }

    @Test
    void crashes_and_restarts_may_be_lists_and_repeated() {
        assertThat(world("--crash 1@10,2@30 --crash 3@5 --restart 1@20,3@8:amnesia")
                        .faults())
                .containsExactly(
                        at(5, new Fault.Crash(n(3))),
                        at(8, new Fault.Restart(n(3), true)),
                        at(10, new Fault.Crash(n(1))),
                        at(20, new Fault.Restart(n(1), false)),
                        at(30, new Fault.Crash(n(2))));
    }

    @Test
    void a_fault_with_an_end_is_healed() {
        assertThat(world("--pause 2@5..30").faults())
                .containsExactly(at(5, new Fault.Pause(n(2))), at(30, new Fault.Resume(n(2))));
        assertThat(world("--pause n2@5").faults()).containsExactly(at(5, new Fault.Pause(n(2))));
        assertThat(world("--suspect '1>3@10..40'").faults())
                .containsExactly(at(10, new Fault.WrongSuspicion(n(1), n(3))), at(40, new Fault.Correct(n(1), n(3))));
        assertThat(world("--slow '1>2@10..40x2.5'").faults())
                .containsExactly(at(10, new Fault.Slow(n(1), n(2), 2.5)), at(40, new Fault.Slow(n(1), n(2), 1)));
        assertThat(world("--clock-rate 2@10..40x1.2,3@5x0.8").faults())
                .containsExactly(
                        at(5, new Fault.ClockRate(n(3), 0.8)),
                        at(10, new Fault.ClockRate(n(2), 1.2)),
                        at(40, new Fault.ClockRate(n(2), 1)));
    }

    @Test
    void a_partition_cuts_every_two_groups_both_ways_and_a_cut_only_one_way() {
        var two = new Fault.Cut(set(1), set(2, 3), true);
        assertThat(world("--partition 1/2,3@10..40").faults())
                .containsExactly(at(10, two), at(40, new Fault.HealCut(two)));
        assertThat(world("--partition 1/2/3@10").faults())
                .containsExactly(
                        at(10, new Fault.Cut(set(1), set(2), true)),
                        at(10, new Fault.Cut(set(1), set(3), true)),
                        at(10, new Fault.Cut(set(2), set(3), true)));
        assertThat(world("--cut '1,2>3@10'").faults()).containsExactly(at(10, new Fault.Cut(set(1, 2), set(3), false)));
    }

    @Test
    void single_messages_are_lost_duplicated_or_delayed() {
        assertThat(world("--lose-message 4,12 --lose-message 5 --duplicate-message 3 --delay-message 3=50,7=0.5")
                        .messageFaults())
                .containsExactly(
                        new MessageFault.Loss(4),
                        new MessageFault.Loss(12),
                        new MessageFault.Loss(5),
                        new MessageFault.Duplication(3),
                        new MessageFault.Delay(3, ms(50)),
                        new MessageFault.Delay(7, Duration.ofNanos(500_000)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--lose-message x                       | --lose-message x is not NUMBER,…",
                "--lose-message 0                       | --lose-message 0 names no message",
                "--lose-message 3,3                     | --lose-message 3 names a message again",
                "--lose-message 3 --duplicate-message 3 | --duplicate-message 3 names a message that",
                "--delay-message 3                      | --delay-message 3 is not NUMBER=MS,…",
                "--delay-message 3=0                    | --delay-message 3=0 is no delay",
                "--delay-message 3=1,3=2                | --delay-message 3=2 names a message again",
                "--lose-message 3 --moves 1request      | --lose-message and --moves exclude each other"
            })
    void a_fault_of_a_message_that_makes_no_sense_is_rejected(String options, String error) {
        assertThat(CliRunner.line("run bully " + options).err()).contains(error);
    }

    @Test
    void a_message_fault_counts_for_what_is_guaranteed() {
        assertThat(required("ricart-agrawala")).contains(Property.NO_STARVATION);
        assertThat(required("ricart-agrawala --lose-message 1")).doesNotContain(Property.NO_STARVATION);
        assertThat(required("ricart-agrawala --delay-message 1=500")).contains(Property.NO_STARVATION);
        assertThat(required("bully --answer 15")).contains(Property.UNIQUENESS);
        assertThat(required("bully --answer 15 --delay-message 1=500")).doesNotContain(Property.UNIQUENESS);
    }

    private static Set<Property> required(String options) {
        return CliRunner.experiment(options).required().properties();
    }

    @Test
    void the_summary_names_a_message_fault_without_effect() {
        var outcome = CliRunner.line("run ricart-agrawala --lose-message 99 --delay-message 3=5,98=7");
        assertThat(outcome.out())
                .contains("without effect         --lose-message 99 (message 99 is never in flight),"
                        + " --delay-message 98=7 (message 98 is never in flight)");
        assertThat(outcome.code()).isZero();
        assertThat(CliRunner.line("run ricart-agrawala --json --lose-message 99")
                        .json()
                        .getAsJsonArray("withoutEffect"))
                .containsExactly(new JsonPrimitive("--lose-message 99"));
        assertThat(CliRunner.line("run ricart-agrawala --lose-message 3").out()).doesNotContain("without effect");
    }

    @Test
    void a_message_fault_is_replayed() {
        var outcome = CliRunner.line("run bully -n 3 --delay-message 7=0.500 --lose-message 5,6");
        assertThat(outcome.out()).contains("--lose-message 5,6 --delay-message 7=0.500");
    }

    @Test
    void swarm_faults_depend_on_the_seed_and_stay_within_the_given_kinds() {
        var experiment = CliRunner.experiment("bully --swarm=crash,loss --seed 4");
        assertThat(experiment.runLimits()).isEqualTo(SwarmFaults.limits());
        assertThat(FaultKind.of(experiment.world())).isSubsetOf(FaultKind.CRASH, FaultKind.LOSS);
        assertThat(FaultKind.of(
                        CliRunner.experiment("ricart-agrawala --swarm --seed 9").world()))
                .isSubsetOf(FaultKind.REORDER, FaultKind.PAUSE, FaultKind.SLOWNESS);
    }

    @Test
    void heal_adds_a_settle_time() {
        var experiment = CliRunner.experiment("bully --crash 3@5 --heal 100 --settle 900");
        assertThat(experiment.world().faults()).contains(at(100, new Fault.Heal()));
        assertThat(experiment.runLimits().expectsConvergence()).isTrue();
        assertThat(experiment.runLimits().maxTime()).isEqualTo(ms(1000));
    }

    @Test
    void a_run_ends_by_time_or_by_steps() {
        var runLimits = CliRunner.experiment("bully --until 500 --steps 9").runLimits();
        assertThat(runLimits).isEqualTo(new RunLimits(9, ms(500), false, false));
    }

    @Test
    void a_workload_has_requesters_times_counts_and_holding_times() {
        assertThat(mutex("--callers 1,3").requests())
                .containsExactly(new Request(n(1), ms(0)), new Request(n(3), ms(0)));
        assertThat(mutex("--acquire 1@0,2@5.5").requests())
                .containsExactly(new Request(n(1), ms(0)), new Request(n(2), Duration.ofNanos(5_500_000)));
        assertThat(mutex("--acquire random:10").requests())
                .hasSize(3)
                .allSatisfy(request -> assertThat(request.at()).isBetween(ms(0), ms(10)))
                .isEqualTo(mutex("").requests());
        assertThat(mutex("--callers all --entries 4 --think 10 --hold 3 --chatter shared"))
                .isEqualTo(Workload.once(List.of(n(1), n(2), n(3)))
                        .withEntries(4)
                        .withThinkTime(ms(10))
                        .withHoldTime(ms(3))
                        .withChatter(Workload.Chatter.SHARED_LINKS));
        assertThat(world("--initiators 1,3@20").workload().requests())
                .containsExactly(new Request(n(1), ms(0)), new Request(n(3), ms(20)));
        assertThat(world("--initiators all").workload().requests()).hasSize(3);
        assertThat(mutex("--also-request 2@5.5,1@9"))
                .isEqualTo(mutex("")
                        .withFurtherRequests(
                                List.of(new Request(n(2), Duration.ofNanos(5_500_000)), new Request(n(1), ms(9)))));
    }

    @Test
    void ranks_reach_the_algorithm_and_the_monitors() {
        var ranking = new Ranking(List.of(new Ranking.Rank(n(3), 10), new Ranking.Rank(n(1), -7)));
        var experiment = CliRunner.experiment("bully --rank 3=10,1=-7");
        assertThat(experiment.world().ranking()).isEqualTo(ranking);
        assertThat(experiment.algorithmParameters().ranking()).isEqualTo(ranking);
    }

    @Test
    void options_reach_the_algorithm() {
        var outcome =
                CliRunner.run("run", "bully", "-n", "2", "--latency", "fixed:4", "--answer", "5", "--initiators", "1");
        assertThat(outcome.out()).contains("uniqueness             not guaranteed (here: no)");
        var clocked = CliRunner.run("run", "ricart-agrawala", "--clocked-replies", "--clocks", "9", "--json");
        assertThat(clocked.json().get("replay").getAsString()).endsWith("--seed 1 --clocked-replies --clocks 9");
    }

    private static World world(String options) {
        return CliRunner.experiment("bully " + options).world();
    }

    private static Workload mutex(String options) {
        return CliRunner.experiment("ricart-agrawala " + options).world().workload();
    }

    private static Fault.PlannedFault at(long millis, Fault fault) {
        return new Fault.PlannedFault(ms(millis), fault);
    }

    private static Duration ms(long millis) {
        return Duration.ofMillis(millis);
    }

    private static NodeId n(int number) {
        return new NodeId(number);
    }

    private static NodeSet set(int... numbers) {
        var set = NodeSet.NONE;
        for (int number : numbers) {
            set = set.with(n(number));
        }
        return set;
    }
}
