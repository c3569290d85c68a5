package habemus.harness.attack;

import habemus.client.HabemusException;
import habemus.harness.HarnessException;
import habemus.harness.ProgressListener;
import habemus.harness.cluster.ControlledCluster;
import habemus.service.transport.Member;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Runs attacks, each beside an honest client. An attack is repelled if no node exits or keeps what it has used, and if
 * the honest client is served, keeps its lock, and waits at most five times as long as before.
 */
public final class AttackCampaign {

    private static final Duration BASELINE_TIME = Duration.ofSeconds(5);
    private static final Duration SHORT_BASELINE_TIME = Duration.ofMillis(500);
    private static final int MAX_TIMES = 5;

    /** A faster baseline counts as this: below it, the scheduler of a small machine decides. */
    private static final double MIN_BASELINE_MILLIS = 5;

    private static final List<Attack> ALL = List.of(
            new DecoderAttack(),
            new LockServerAttack(),
            new SocketFrameAttack(Victim.Port.PEER),
            new SocketFrameAttack(Victim.Port.CLIENT),
            new SocketFrameAttack(Victim.Port.HTTP),
            new ForeignProtocolAttack(),
            new RequestSmugglingAttack(),
            new FrameFloodAttack(),
            new SlowConnectionAttack(false),
            new CertificateAttack(),
            new SlowConnectionAttack(true),
            new FileExhaustionAttack(),
            new NameFloodAttack());

    /** The name of an attack, and one line about it. */
    public record Description(String name, String summary) {}

    private final AttackBudget budget;
    private final Optional<VictimLauncher> launcher;
    private final List<Member> running;
    private final ProgressListener progress;

    /** Attacks clusters that it starts. */
    public AttackCampaign(AttackBudget budget, VictimLauncher launcher, ProgressListener progress) {
        this.budget = budget;
        this.launcher = Optional.of(launcher);
        this.running = List.of();
        this.progress = progress;
    }

    /**
     * Attacks a cluster that runs already, with all that needs no TLS and no limits.
     *
     * @throws HarnessException if an address is not a loopback address
     */
    public AttackCampaign(AttackBudget budget, List<Member> running, ProgressListener progress) {
        VictimLauncher.requireLoopback(running);
        this.budget = budget;
        this.launcher = Optional.empty();
        this.running = List.copyOf(running);
        this.progress = progress;
    }

    public static List<Description> attacks() {
        return ALL.stream()
                .map(attack -> new Description(attack.name(), attack.summary()))
                .toList();
    }

    /** @param names of the attacks; all if there is none */
    public AttackReport run(List<String> names) throws InterruptedException {
        var results = new ArrayList<AttackResult>();
        for (var setting : Attack.Setting.values()) {
            var attacks = ALL.stream()
                    .filter(attack -> attack.setting() == setting)
                    .filter(attack -> names.isEmpty() || names.contains(attack.name()))
                    .toList();
            if (!attacks.isEmpty() && (launcher.isPresent() || setting == Attack.Setting.OPEN)) {
                results.addAll(run(setting, attacks));
            }
        }
        progress.clear();
        return new AttackReport(budget, results);
    }

    private List<AttackResult> run(Attack.Setting setting, List<Attack> attacks) throws InterruptedException {
        if (setting == Attack.Setting.IN_PROCESS) {
            var results = new ArrayList<AttackResult>();
            for (var attack : attacks) {
                results.add(run(attack, Optional.empty()));
            }
            return results;
        }
        progress.showText("starting the nodes to attack");
        var victim = launcher.isPresent() ? launcher.get().start(setting) : VictimLauncher.running(running);
        try {
            return runBesideHonestClient(attacks, victim);
        } finally {
            victim.cluster().ifPresent(ControlledCluster::close);
        }
    }

    private List<AttackResult> runBesideHonestClient(List<Attack> attacks, Victim victim) throws InterruptedException {
        try (var honest = new HonestClient(victim.honest())) {
            var results = new ArrayList<AttackResult>();
            for (var attack : attacks) {
                results.add(run(attack, victim, honest));
            }
            return results;
        } catch (HabemusException unserved) {
            throw new HarnessException(
                    "the service grants no lock before the attack: " + unserved.getMessage(),
                    "check that the cluster is up and allows every client");
        }
    }

    private AttackResult run(Attack attack, Optional<Victim> victim) throws InterruptedException {
        long start = System.nanoTime();
        try {
            var outcome = attack.run(new AttackRun(attack.name(), budget, victim, progress));
            return result(attack, start, outcome);
        } catch (IOException | HarnessException failed) {
            return result(
                    attack, start, new Attack.Outcome("", List.of("the attack ended early: " + failed.getMessage())));
        }
    }

    private static AttackResult result(Attack attack, long start, Attack.Outcome outcome) {
        double seconds = (System.nanoTime() - start) / 1e9;
        return new AttackResult(attack.name(), outcome.done(), seconds, Optional.empty(), outcome.failures());
    }

    private AttackResult run(Attack attack, Victim victim, HonestClient honest) throws InterruptedException {
        var watched = victim.cluster().filter(cluster -> budget.isThorough());
        var before = watched.isPresent() ? NodeResources.of(watched.get()) : List.<NodeResources>of();
        honest.takeLatencies();
        Thread.sleep(budget.isThorough() ? BASELINE_TIME : SHORT_BASELINE_TIME);
        double baseline = honest.takeLatencies().getValueAtPercentile(99) / 1e6;
        var result = run(attack, Optional.of(victim));
        var latencies = honest.takeLatencies();
        var service =
                new AttackResult.Service(latencies.getTotalCount(), latencies.getValueAtPercentile(99) / 1e6, baseline);
        attack.finish(new AttackRun(attack.name(), budget, Optional.of(victim), progress));
        var problems = new ArrayList<>(honest.takeProblems());
        victim.cluster().ifPresent(cluster -> problems.addAll(cluster.failures()));
        if (budget.isThorough() && service.p99Millis() > MAX_TIMES * Math.max(MIN_BASELINE_MILLIS, baseline)) {
            problems.add(AttackRun.format(
                    "the p99 of the honest client was %.1f ms, %.1f ms before", service.p99Millis(), baseline));
        }
        if (watched.isPresent() && victim.cluster().get().failures().isEmpty()) {
            problems.addAll(NodeResources.leaks(watched.get(), before));
        }
        return new AttackResult(
                result.name(),
                result.done(),
                result.seconds(),
                Optional.of(service),
                Stream.concat(result.failures().stream(), problems.stream()).toList());
    }
}
