package habemus.service.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.lockservice.OperationResult;
import habemus.lockservice.protocol.LockServer;
import habemus.lockservice.protocol.Message;
import habemus.lockservice.table.LockTable;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.LogCall;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Step;
import habemus.raft.RaftMessage;
import habemus.raft.RaftState;
import habemus.service.recording.RecordedMachines.Defect;
import habemus.service.storage.CorruptFileException;
import habemus.service.trace.TraceFileReader;
import habemus.world.Property;
import habemus.world.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A recording of the right machines is accepted, and one with a defect is rejected at its first wrong step. */
class RecordingValidatorTest {

    private static final Defect NONE = new Defect() {};

    @TempDir
    private Path folder;

    private ValidationResult validate() {
        var recordings = ClusterRecording.in(List.of(folder));
        assertThat(recordings).hasSize(1);
        return RecordingValidator.validate(recordings.getFirst(), (read, total) -> {});
    }

    private StepDifference firstDifference(Defect defect) {
        RecordedMachines.run(folder, defect);
        var run = validate();
        assertThat(run.isAccepted()).isFalse();
        assertThat(run.differences()).isNotEmpty();
        return run.differences().getFirst();
    }

    @Test
    void the_recording_of_the_right_machines_is_accepted() {
        RecordedMachines.run(folder, NONE);
        var run = validate();
        assertThat(run.differences()).isEmpty();
        assertThat(run.violations()).isEmpty();
        assertThat(run.notes()).isEmpty();
        assertThat(run.isAccepted()).isTrue();
        assertThat(run.nodes())
                .hasSize(3)
                .allSatisfy(node -> assertThat(node.starts()).isEqualTo(1));
        assertThat(run.grants()).isEqualTo(2);
        assertThat(run.entries()).isEqualTo(7); // the first one of the leader, two sessions, four requests
        assertThat(run.verdicts())
                .containsEntry(Property.LEADER_COMPLETENESS, Verdict.HOLDS)
                .containsEntry(Property.STATE_MACHINE_SAFETY, Verdict.HOLDS)
                .hasSize(8);
        assertThat(run.ruleVerdicts()).hasSize(4).doesNotContainValue(Verdict.VIOLATED);
    }

    /** Changes a message that a node sends as answer to an event. */
    private static Step<RaftState, RaftMessage> withEffects(
            Step<RaftState, RaftMessage> step, Stream<Effect<RaftMessage>> effects) {
        return new Step<>(step.state(), effects.toList());
    }

    @Test
    void a_follower_that_acknowledges_beyond_what_it_compared_is_rejected() {
        var difference = firstDifference(new Defect() {
            @Override
            public Step<RaftState, RaftMessage> log(
                    NodeId node, Event<RaftMessage> event, Step<RaftState, RaftMessage> right) {
                return withEffects(
                        right,
                        right.effects().stream()
                                .map(effect -> effect
                                                        instanceof
                                                        Effect.Send<RaftMessage>(
                                                                var to,
                                                                RaftMessage.AppendAck(var term, var match, var round))
                                                && node.equals(RecordedMachines.N2)
                                        ? new Effect.Send<>(to, new RaftMessage.AppendAck(term, match + 1, round))
                                        : effect));
            }
        });
        assertThat(difference.node()).isEqualTo(RecordedMachines.N2);
        assertThat(difference.expected()).contains("AppendAck[term=2, matchIndex=1,");
        assertThat(difference.recorded()).contains("AppendAck[term=2, matchIndex=2,");
    }

    @Test
    void a_follower_that_acknowledges_before_the_sync_is_rejected() {
        var difference = firstDifference(new Defect() {
            @Override
            public Step<RaftState, RaftMessage> log(
                    NodeId node, Event<RaftMessage> event, Step<RaftState, RaftMessage> right) {
                boolean appends = event instanceof Event.Received<RaftMessage>(var from, RaftMessage.AppendEntries m)
                        && !m.entries().isEmpty();
                long last = right.state().durable().log().lastIndex();
                return appends && node.equals(RecordedMachines.N3)
                        ? right.send(
                                RecordedMachines.N1,
                                new RaftMessage.AppendAck(
                                        right.state().durable().term(), last, 0))
                        : right;
            }
        });
        assertThat(difference.node()).isEqualTo(RecordedMachines.N3);
        assertThat(difference.event()).contains("AppendEntries");
        assertThat(difference.expected()).doesNotContain("AppendAck");
        assertThat(difference.recorded()).contains("AppendAck");
    }

    @Test
    void a_node_that_forgets_its_vote_is_rejected_at_the_vote() {
        var difference = firstDifference(new Defect() {
            @Override
            public Step<RaftState, RaftMessage> log(
                    NodeId node, Event<RaftMessage> event, Step<RaftState, RaftMessage> right) {
                var state = right.state();
                var disk = state.durable();
                boolean votes = event instanceof Event.Received<RaftMessage>(var from, RaftMessage.RequestVote m);
                var forgetful = new RaftState.DurableState(
                        disk.term(), NodeSet.NONE, disk.log(), disk.syncedIndex(), disk.snapshot());
                return votes && node.equals(RecordedMachines.N2)
                        ? new Step<>(
                                new RaftState(
                                        state.self(), forgetful, state.commitIndex(), state.proposals(), state.role()),
                                right.effects())
                        : right;
            }
        });
        assertThat(difference.node()).isEqualTo(RecordedMachines.N2);
        assertThat(difference.event()).contains("RequestVote");
        assertThat(difference.expected()).contains("vote={n1}");
    }

    @Test
    void a_leader_that_commits_without_a_majority_is_rejected() {
        var difference = firstDifference(new Defect() {
            @Override
            public Step<RaftState, RaftMessage> log(
                    NodeId node, Event<RaftMessage> event, Step<RaftState, RaftMessage> right) {
                var state = right.state();
                long last = state.durable().log().lastIndex();
                return node.equals(RecordedMachines.N1)
                                && event instanceof Event.Call<RaftMessage>(LogCall.Propose propose)
                        ? new Step<RaftState, RaftMessage>(
                                        new RaftState(
                                                state.self(), state.durable(), last, state.proposals(), state.role()),
                                        right.effects())
                                .apply(last, state.durable().log().entries(last, last))
                        : right;
            }
        });
        assertThat(difference.node()).isEqualTo(RecordedMachines.N1);
        assertThat(difference.event()).contains("Propose");
        assertThat(difference.recorded()).contains("Apply");
    }

    @Test
    void a_lock_server_that_grants_a_lock_twice_is_rejected() {
        var difference = firstDifference(new Defect() {
            @Override
            public Step<LockServer.State, Message> server(
                    NodeId node, ServerInput input, Step<LockServer.State, Message> right) {
                return new Step<>(
                        right.state(),
                        right.effects().stream()
                                .map(effect -> effect
                                                instanceof
                                                Effect.Send<Message>(
                                                        var to,
                                                        Message.Result(
                                                                var session,
                                                                var number,
                                                                OperationResult.Waiting waiting))
                                        ? new Effect.Send<Message>(
                                                to, new Message.Result(session, number, new OperationResult.Granted(9)))
                                        : effect)
                                .toList());
            }
        });
        assertThat(difference.node()).isEqualTo(RecordedMachines.N1);
        assertThat(difference.event()).startsWith("from the log: Committed");
        assertThat(difference.expected()).contains("Waiting");
        assertThat(difference.recorded()).contains("Granted 9");
    }

    @Test
    void a_lock_server_that_skips_an_entry_is_rejected_at_the_next_one() {
        var difference = firstDifference(new Defect() {
            private LockTable last = LockTable.EMPTY;

            @Override
            public Step<LockServer.State, Message> server(
                    NodeId node, ServerInput input, Step<LockServer.State, Message> right) {
                var state = right.state();
                boolean skips = node.equals(RecordedMachines.N2)
                        && input instanceof ServerInput.FromLog
                        && state.table().index() == 4;
                if (!skips && node.equals(RecordedMachines.N2)) {
                    last = state.table();
                }
                return skips
                        ? new Step<>(
                                new LockServer.State(last, state.leases(), state.connections(), state.renewals()),
                                List.of())
                        : right;
            }
        });
        assertThat(difference.node()).isEqualTo(RecordedMachines.N2);
        assertThat(difference.expected()).contains("index=4");
        assertThat(difference.recorded()).contains("index=3");
    }

    @Test
    void a_disk_that_lost_a_synced_entry_is_rejected_at_the_restart() {
        var machines = new RecordedMachines(folder, NONE);
        machines.elect();
        machines.useLock();
        var disk = machines.log(RecordedMachines.N2).durable();
        long last = disk.log().lastIndex();
        machines.restart(
                RecordedMachines.N2,
                new RaftState.DurableState(
                        disk.term(), disk.vote(), disk.log().truncateAfter(last - 1), last - 1, disk.snapshot()));
        machines.stop();
        var run = validate();
        assertThat(run.differences()).singleElement().satisfies(difference -> {
            assertThat(difference.node()).isEqualTo(RecordedMachines.N2);
            assertThat(difference.start()).isEqualTo(2);
            assertThat(difference.recorded()).contains("was synced");
        });
    }

    @Test
    void a_node_that_restarts_with_its_disk_is_accepted() {
        var machines = new RecordedMachines(folder, NONE);
        machines.elect();
        machines.useLock();
        machines.restart(RecordedMachines.N3, machines.log(RecordedMachines.N3).durable());
        machines.useLock();
        machines.stop();
        var run = validate();
        assertThat(run.isAccepted()).as(run.toString()).isTrue();
        assertThat(run.nodes().getLast().starts()).isEqualTo(2);
    }

    @Test
    void a_snapshot_of_another_state_is_rejected() {
        var machines = new RecordedMachines(folder, NONE);
        machines.elect();
        var old = machines.table(RecordedMachines.N1);
        machines.useLock();
        long index = machines.log(RecordedMachines.N1).commitIndex();
        compact(machines, old);
        machines.stop();
        assertThat(validate().differences())
                .singleElement()
                .extracting(StepDifference::event)
                .isEqualTo("snapshot at " + index);
    }

    private static void compact(RecordedMachines machines, LockTable table) {
        long index = machines.log(RecordedMachines.N1).commitIndex();
        machines.step(RecordedMachines.N1, new Event.Call<>(new LogCall.Compact(index, machines.snapshot(table))));
    }

    @Test
    void a_recording_that_begins_after_a_snapshot_is_accepted() throws IOException {
        var machines = new RecordedMachines(folder, NONE);
        machines.elect();
        machines.useLock();
        compact(machines, machines.table(RecordedMachines.N1));
        machines.useLock();
        machines.stop();
        for (Path file : TraceFileReader.list(folder)) {
            Files.delete(file);
        }
        for (NodeId node : List.of(RecordedMachines.N1, RecordedMachines.N2, RecordedMachines.N3)) {
            machines.restart(node, machines.log(node).durable());
        }
        machines.step(RecordedMachines.N2, new Event.Timeout<>(RaftState.Timer.ELECTION_TIMEOUT));
        machines.step(RecordedMachines.N1, new Event.Timeout<>(RaftState.Timer.ELECTION_TIMEOUT));
        machines.stop();
        var run = validate();
        assertThat(run.isAccepted()).as(run.toString()).isTrue();
        assertThat(run.verdicts()).doesNotContainValue(Verdict.OPEN).doesNotContainValue(Verdict.VIOLATED);
        assertThat(run.grants()).isEqualTo(2);
    }

    @Test
    void a_message_that_no_node_sent_is_rejected() {
        var machines = new RecordedMachines(folder, NONE);
        machines.elect();
        long term = machines.log(RecordedMachines.N1).durable().term();
        machines.step(
                RecordedMachines.N3, new Event.Received<>(RecordedMachines.N2, new RaftMessage.NewerTerm(term + 1)));
        machines.stop();
        var run = validate();
        assertThat(run.differences()).isEmpty();
        assertThat(run.violations()).singleElement().asString().contains("messages of n2 are in none");
    }

    /** Each node conforms to the machines, and together they have two leaders in one term. */
    @Test
    void the_recordings_of_two_runs_violate_the_properties_of_the_log() throws IOException {
        var other = folder.resolve("other");
        transferLeadership(folder, RecordedMachines.N3);
        transferLeadership(other, RecordedMachines.N2);
        Files.delete(file(RecordedMachines.N2));
        for (Path file : TraceFileReader.list(other)) {
            if (file.toString().contains(".n2.")) {
                Files.move(file, folder.resolve(file.getFileName()));
            }
        }
        var run = validate();
        assertThat(run.differences()).isEmpty();
        assertThat(run.isAccepted()).isFalse();
        assertThat(run.verdicts()).containsEntry(Property.ELECTION_SAFETY, Verdict.VIOLATED);
        assertThat(run.violations()).anyMatch(text -> text.startsWith("election-safety"));
    }

    private static void transferLeadership(Path folder, NodeId to) {
        var machines = new RecordedMachines(folder, NONE);
        machines.elect();
        machines.step(RecordedMachines.N1, new Event.Call<>(new LogCall.TransferLeadership(to)));
        machines.stop();
    }

    @Test
    void without_the_recording_of_a_member_the_properties_of_the_log_stay_open() throws IOException {
        RecordedMachines.run(folder, NONE);
        Files.delete(file(RecordedMachines.N2));
        var run = validate();
        assertThat(run.isAccepted()).isTrue();
        assertThat(run.notes()).singleElement().asString().contains("no recording of {n2}");
        assertThat(run.verdicts()).doesNotContainValue(Verdict.HOLDS);
    }

    @Test
    void a_truncated_recording_is_accepted_as_a_prefix() throws IOException {
        RecordedMachines.run(folder, NONE);
        var file = file(RecordedMachines.N2);
        var bytes = Files.readAllBytes(file);
        for (int missing : List.of(1, bytes.length / 3)) {
            Files.write(file, Arrays.copyOf(bytes, bytes.length - missing));
            var run = validate();
            assertThat(run.isAccepted()).as(run.toString()).isTrue();
            assertThat(run.notes()).anyMatch(note -> note.contains("n2, start 1, ends with an incomplete step"));
        }
    }

    @Test
    void a_changed_byte_is_found_by_the_checksum() throws IOException {
        RecordedMachines.run(folder, NONE);
        var file = file(RecordedMachines.N1);
        var bytes = Files.readAllBytes(file);
        for (int at = bytes.length / 2; at < bytes.length / 2 + 40; at++) {
            var changed = bytes.clone();
            changed[at] ^= 4;
            Files.write(file, changed);
            assertThatThrownBy(this::validate)
                    .isInstanceOf(CorruptFileException.class)
                    .hasMessageContaining(file + " is damaged before byte");
        }
    }

    private Path file(NodeId node) {
        return TraceFileReader.list(folder).stream()
                .filter(file -> file.toString().contains("." + node + "."))
                .findFirst()
                .orElseThrow();
    }
}
