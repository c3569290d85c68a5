package habemus.harness.simulation;

import habemus.harness.simulation.FaultPlan.PlannedFault;
import habemus.lockservice.Command;
import habemus.service.simulation.SimulatedDisk;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Injects the faults of a plan, and heals them. */
@SuppressWarnings("FutureReturnValueIgnored") // the monitors see the outcome
final class Nemesis {

    private static final long MILLI = 1_000_000L;

    private final ServiceWorld world;

    Nemesis(ServiceWorld world) {
        this.world = world;
    }

    void plan() {
        for (var fault : world.plan().faults()) {
            world.time().at(fault.atNanos(), () -> inject(fault));
        }
        world.time().at(FaultPlan.HEALED_NANOS, this::healAll);
    }

    private void inject(PlannedFault fault) {
        var random = fault.random();
        boolean isInjected = switch (fault.kind()) {
            case KILL, POWER_FAILURE, POWER_FAILURE_IN_WRITE, STOP, PAUSE -> onNode(fault, random);
            case PARTITION, ISOLATION, ONE_WAY_CUT, RING, CLIENT_CUT -> cut(fault, random);
            case BROKEN_CONNECTIONS -> breakConnections(random);
            case SLOW_NETWORK -> slowDown(fault, random);
            case CLIENT_MUTED -> mute(fault, random);
            case SLOW_SYNC, FAILED_SYNC, FULL_DISK -> onDisk(fault, random);
            case BIT_ROT, CUT_FILE, LOST_FILE -> damage(fault, random);
            case WIPED_FOLDER -> wipe(random);
            case OLD_COPY -> restoreOldCopy(fault, random);
            case CLIENT_PAUSE, CLIENT_KILL -> onClient(fault, random);
            case TRANSFER, COMPACTION, REVOCATION -> operate(fault, random);
            case MEMBER_REPLACED, MEMBER_ADDED, MEMBER_REMOVED -> changeMembers(fault, random);
        };
        if (isInjected) {
            world.coverage().count(fault.kind());
            world.line(() -> "fault " + fault.number() + ": " + fault.kind());
            world.trace().add(fault.kind().ordinal(), fault.number());
        }
    }

    private void after(PlannedFault fault, Runnable healing) {
        world.time().at(fault.untilNanos(), healing);
    }

    // ---- choices ----

    private static <T> Optional<T> pick(List<T> choices, SplittableRandom random) {
        return choices.isEmpty() ? Optional.empty() : Optional.of(choices.get(random.nextInt(choices.size())));
    }

    /** A running node, as often as not the leader of the log. */
    private Optional<SimulatedNode> pickNode(SplittableRandom random) {
        var running = world.nodes().stream()
                .filter(node -> node.isRunning() && !node.isPaused() && !node.isAmnesiac())
                .toList();
        var leaders = running.stream()
                .filter(node -> world.logSafety().leaders().contains(node.id()))
                .toList();
        return pick(random.nextBoolean() && !leaders.isEmpty() ? leaders : running, random);
    }

    private Optional<ClientProcess> pickClient(SplittableRandom random) {
        return pick(
                world.clients().stream()
                        .filter(client -> client.isRunning() && !client.isPaused())
                        .toList(),
                random);
    }

    // ---- processes ----

    private boolean onNode(PlannedFault fault, SplittableRandom random) {
        var chosen = pickNode(random);
        chosen.ifPresent(node -> {
            switch (fault.kind()) {
                case KILL -> node.kill();
                case POWER_FAILURE -> node.failPower();
                case POWER_FAILURE_IN_WRITE -> node.disk().failPowerAfter(random.nextInt(12));
                case STOP -> stop(node);
                default -> node.pause();
            }
            after(fault, () -> {
                node.resume();
                node.startIfDown();
            });
        });
        return chosen.isPresent();
    }

    private void stop(SimulatedNode node) {
        node.transferLeadership();
        world.time().after(800 * MILLI, () -> {
            if (node.isRunning() && !node.isPaused()) {
                node.kill();
                world.time().after(1_000 * MILLI, node::startIfDown);
            }
        });
    }

    private boolean onClient(PlannedFault fault, SplittableRandom random) {
        var chosen = pickClient(random);
        chosen.ifPresent(client -> {
            if (fault.kind() == ServiceFault.CLIENT_KILL) {
                client.kill(random.nextBoolean());
                after(fault, client::startIfDown);
            } else {
                client.pause();
                boolean timersFirst = random.nextBoolean();
                after(fault, () -> client.resume(timersFirst));
            }
        });
        return chosen.isPresent();
    }

    // ---- network ----

    private record Direction(int from, int to) {}

    private boolean cut(PlannedFault fault, SplittableRandom random) {
        var directions = switch (fault.kind()) {
            case PARTITION -> partition(random);
            case ISOLATION -> isolation(random);
            case ONE_WAY_CUT -> oneWay(random);
            case RING -> ring();
            default -> clientCut(random);
        };
        directions.forEach(each -> world.network().cut(each.from, each.to));
        world.line(() -> "cut: " + directions);
        after(fault, () -> {
            world.line(() -> "healed: " + directions);
            directions.forEach(each -> world.network().heal(each.from, each.to));
        });
        return !directions.isEmpty();
    }

    private List<Integer> processes() {
        var all = new ArrayList<Integer>();
        world.nodes().forEach(node -> all.add(node.process()));
        world.clients().forEach(client -> all.add(client.process()));
        return all;
    }

    private List<Direction> partition(SplittableRandom random) {
        var directions = new ArrayList<Direction>();
        long side = random.nextLong();
        for (int from : processes()) {
            for (int to : processes()) {
                if ((side >> from & 1) != (side >> to & 1)) {
                    directions.add(new Direction(from, to));
                }
            }
        }
        return directions;
    }

    private List<Direction> isolation(SplittableRandom random) {
        var directions = new ArrayList<Direction>();
        var chosen = pickNode(random);
        boolean hasClients = random.nextBoolean();
        for (int other : processes()) {
            boolean isNode = other < world.nodes().size();
            if (chosen.isPresent() && other != chosen.get().process() && (isNode || !hasClients)) {
                directions.add(new Direction(chosen.get().process(), other));
                directions.add(new Direction(other, chosen.get().process()));
            }
        }
        return directions;
    }

    private List<Direction> oneWay(SplittableRandom random) {
        var from = pickNode(random);
        var to = pickNode(random);
        return from.isPresent() && !from.equals(to)
                ? List.of(new Direction(from.get().process(), to.get().process()))
                : List.of();
    }

    /** Of three nodes, the first and the last cannot reach each other. */
    private List<Direction> ring() {
        var directions = new ArrayList<Direction>();
        int size = world.plan().nodes();
        for (int from = 0; from < size; from++) {
            for (int to = 0; to < size; to++) {
                int distance = Math.abs(from - to);
                boolean isNeighbour = distance <= 1 || size > 3 && distance == size - 1;
                if (!isNeighbour) {
                    directions.add(new Direction(from, to));
                }
            }
        }
        return directions;
    }

    private List<Direction> clientCut(SplittableRandom random) {
        var directions = new ArrayList<Direction>();
        pickClient(random).ifPresent(client -> {
            int which = random.nextInt(3); // requests, replies, or both
            for (var node : world.nodes()) {
                if (random.nextInt(4) > 0 && which != 1) {
                    directions.add(new Direction(client.process(), node.process()));
                }
                if (random.nextInt(4) > 0 && which != 0) {
                    directions.add(new Direction(node.process(), client.process()));
                }
            }
        });
        return directions;
    }

    private boolean breakConnections(SplittableRandom random) {
        var all = processes();
        var connections = world.network().connectionsOf(all.get(random.nextInt(all.size())));
        boolean isAll = random.nextBoolean();
        boolean isAny = false;
        for (var connection : connections) {
            if (isAll || random.nextBoolean()) {
                isAny = true;
                connection.breakNow(random.nextLong(50 * MILLI), random.nextLong(2_000 * MILLI));
            }
        }
        return isAny;
    }

    private boolean slowDown(PlannedFault fault, SplittableRandom random) {
        long nanos = random.nextLong(5 * MILLI, 600 * MILLI);
        var all = processes();
        var slow = random.nextBoolean() ? all : List.of(all.get(random.nextInt(all.size())));
        setDelay(slow, nanos);
        after(fault, () -> setDelay(slow, 0));
        return true;
    }

    private void setDelay(List<Integer> slow, long nanos) {
        for (int from : slow) {
            for (int to : processes()) {
                world.network().slowDown(from, to, nanos);
                world.network().slowDown(to, from, nanos);
            }
        }
    }

    /** The service hears the client for the last time long before the client gets the last reply. */
    private boolean mute(PlannedFault fault, SplittableRandom random) {
        var chosen = pickClient(random);
        chosen.ifPresent(client -> {
            var nodes = world.nodes().stream().map(SimulatedNode::process).toList();
            long delay = random.nextLong(300 * MILLI, 3_000 * MILLI);
            long cutAt = Math.min(fault.atNanos() + random.nextLong(2_000 * MILLI), fault.untilNanos());
            nodes.forEach(node -> world.network().slowDown(node, client.process(), delay));
            world.time().at(cutAt, () -> nodes.forEach(node -> world.network().cut(client.process(), node)));
            after(
                    fault,
                    () -> nodes.forEach(node -> {
                        world.network().slowDown(node, client.process(), 0);
                        world.network().heal(client.process(), node);
                    }));
        });
        return chosen.isPresent();
    }

    // ---- disks ----

    private boolean onDisk(PlannedFault fault, SplittableRandom random) {
        var chosen = pickNode(random);
        chosen.ifPresent(node -> {
            switch (fault.kind()) {
                case SLOW_SYNC -> node.setSlowSyncNanos(random.nextLong(2 * MILLI, 400 * MILLI));
                case FAILED_SYNC -> {
                    node.expectDiskFailure();
                    node.disk().failNextSync();
                }
                default -> {
                    node.expectDiskFailure();
                    node.disk().fill();
                }
            }
            after(fault, () -> {
                node.setSlowSyncNanos(0);
                node.disk().free();
                node.startIfDown();
            });
        });
        return chosen.isPresent();
    }

    /** As many nodes may lose their data as the others can replace. */
    private boolean mayLoseData(SimulatedNode node) {
        long lost = world.nodes().stream()
                .filter(other -> other.isUnreliable() || world.operator().isBusyWith(other))
                .count();
        return lost < (world.plan().nodes() - 1) / 2
                && node.id().number() <= world.plan().nodes()
                && !world.operator().isBusyWith(node);
    }

    private boolean damage(PlannedFault fault, SplittableRandom random) {
        var chosen = pickNode(random).filter(this::mayLoseData);
        chosen.ifPresent(node -> {
            node.kill();
            node.expectDamage();
            var disk = node.disk();
            var files = disk.list();
            if (!files.isEmpty()) {
                var file = files.get(random.nextInt(files.size()));
                long size = disk.size(file);
                switch (fault.kind()) {
                    case BIT_ROT -> disk.flipBit(file, random.nextLong(8 * Math.max(1, Math.min(size, 20_000))));
                    case CUT_FILE -> disk.truncate(file, random.nextLong(Math.max(1, size)));
                    default -> disk.lose(file);
                }
                world.line(() -> fault.kind() + " of " + file + " at " + node);
            }
            after(fault, node::startIfDown);
        });
        return chosen.isPresent();
    }

    /** Amnesia is recognised by the peers that have met the node. A node that joins later has not. */
    private boolean isKnownToAll(SimulatedNode node, long incarnation) {
        return !world.operator().hasChangedMembers()
                && world.nodes().subList(0, world.plan().nodes()).stream()
                        .allMatch(other -> other == node || other.acceptedIncarnation(node.id()) >= incarnation);
    }

    private boolean wipe(SplittableRandom random) {
        var chosen = pickNode(random).filter(node -> mayLoseData(node) && isKnownToAll(node, 1));
        chosen.ifPresent(node -> node.startWithAmnesia(new SimulatedDisk()));
        return chosen.isPresent();
    }

    /** The copy is of the life before the next one, so that its peers have seen a later one. */
    private boolean restoreOldCopy(PlannedFault fault, SplittableRandom random) {
        var chosen = pickNode(random).filter(node -> mayLoseData(node) && isKnownToAll(node, 1));
        chosen.ifPresent(node -> {
            var copy = node.disk().copy();
            node.kill();
            node.start();
            long starts = node.folderStarts();
            after(fault, () -> {
                if (node.isRunning() && mayLoseData(node) && isKnownToAll(node, starts)) {
                    node.startWithAmnesia(copy);
                }
            });
        });
        return chosen.isPresent();
    }

    // ---- operators ----

    private boolean operate(PlannedFault fault, SplittableRandom random) {
        var chosen = pickNode(random);
        chosen.ifPresent(node -> {
            switch (fault.kind()) {
                case TRANSFER -> node.transferLeadership();
                case COMPACTION -> node.call((log, server) -> log.compact());
                default -> node.call((log, server) -> drawRevocation(random).ifPresent(server::submitAdminCommand));
            }
        });
        return chosen.isPresent();
    }

    private Optional<Command.AdminCommand> drawRevocation(SplittableRandom random) {
        var table = world.history().table();
        var name = pick(table.resources().keys(), random);
        return name.flatMap(resource -> pick(table.holders(resource), random).map(holder -> {
            var action = random.nextInt(3) == 0
                    ? new Command.AdminAction.Expire(holder.request().session())
                    : new Command.AdminAction.Release(resource, holder.fence());
            return new Command.AdminCommand(action, "operator", "console", "drill");
        }));
    }

    private boolean changeMembers(PlannedFault fault, SplittableRandom random) {
        var spare = world.nodes().getLast();
        return switch (fault.kind()) {
            case MEMBER_ADDED -> {
                boolean isPossible = spare.status() == SimulatedNode.Status.ABSENT
                        && !world.operator().isBusyWith(spare)
                        && world.nodes().stream().noneMatch(SimulatedNode::isAmnesiac);
                if (isPossible) {
                    world.operator().join(spare);
                }
                yield isPossible;
            }
            case MEMBER_REMOVED -> {
                boolean isPossible = spare.status() != SimulatedNode.Status.ABSENT
                        && !world.operator().isBusyWith(spare);
                if (isPossible) {
                    world.operator().dismiss(spare);
                }
                yield isPossible;
            }
            default -> {
                var chosen = pickNode(random).filter(this::mayLoseData);
                chosen.ifPresent(node -> {
                    node.retire();
                    world.operator().replace(node);
                });
                yield chosen.isPresent();
            }
        };
    }

    private void healAll() {
        world.line(() -> "all faults are healed");
        for (var node : world.nodes()) {
            node.resume();
            node.setSlowSyncNanos(0);
            node.disk().free();
            node.disk().failPowerAfter(Integer.MAX_VALUE);
            node.startIfDown();
        }
        for (var client : world.clients()) {
            client.resume(true);
            client.startIfDown();
        }
    }
}
