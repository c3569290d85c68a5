package habemus.service.session;

import habemus.fenced.Bid;
import habemus.fenced.Command;
import habemus.fenced.Table;
import java.util.concurrent.atomic.LongAdder;

/** Counts what happens at a node. */
final class Tally {

    final LongAdder requests = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder entries = new LongAdder();
    final LongAdder commands = new LongAdder();
    final LongAdder dropped = new LongAdder();
    final LongAdder failed = new LongAdder();
    final LongAdder applied = new LongAdder();
    final LongAdder renewals = new LongAdder();
    private final LongAdder expiries = new LongAdder();
    private final LongAdder losses = new LongAdder();

    /** An entry with such a command was applied: who was given up by it, and what was lost. */
    void expired(Command.Expire expire, Table before, Table after) {
        if (!after.sessions().contains(expire.session())) {
            before.sessions().get(expire.session()).ifPresent(guest -> {
                expiries.increment();
                losses.add(guest.bids().values().stream()
                        .filter(bid -> bid instanceof Bid.Holding)
                        .count());
            });
        }
    }

    Counts counts(Table table, int served, int connections) {
        return new Counts(
                connections,
                served,
                table.sessions().size(),
                table.locks().values().stream()
                        .mapToLong(lock -> lock.line().size())
                        .sum(),
                requests.sum(),
                refused.sum(),
                entries.sum(),
                commands.sum(),
                dropped.sum(),
                failed.sum(),
                applied.sum(),
                renewals.sum(),
                expiries.sum(),
                losses.sum());
    }
}
