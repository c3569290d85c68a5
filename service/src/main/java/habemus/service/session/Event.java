package habemus.service.session;

import habemus.fenced.Command;
import habemus.fenced.Entry;
import habemus.fenced.Table;
import habemus.fenced.Talk;
import habemus.protocol.NodeId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What waits at the {@link Reception}. */
sealed interface Event {

    record Said(Connection from, Talk.Request request) implements Event {}

    /** There is no room for it: it is called off. */
    record TooMuch(Connection from, Talk.Ask ask) implements Event {}

    record Refused(Connection from, Talk.Reply reply) implements Event {}

    record Left(Connection who) implements Event {}

    record Committed(Entry entry) implements Event {}

    /** The log may have lost them. */
    record Lost(List<Command> asks) implements Event {}

    record Restored(Table table) implements Event {}

    record Led(Optional<NodeId> leader) implements Event {}

    record Forced(Command.Force force, CompletableFuture<Table> done) implements Event {}

    /** Completed when all before has been done. */
    record Asked(CompletableFuture<Table> answer) implements Event {}

    record Stop() implements Event {}
}
