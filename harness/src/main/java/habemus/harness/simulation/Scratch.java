package habemus.harness.simulation;
import java.util.*;
public final class Scratch {
    public static void main(String[] a) {
        long first = Long.parseLong(a[0]), count = Long.parseLong(a[1]);
        if (count == 1) { var r = ServiceRun.withTrace(FaultPlan.draw(first)); r.lastLines().forEach(System.out::println); System.out.println(r.violated() + " " + r.detail() + " " + r.events() + " " + r.hash()); return; }
        int rounds = a.length > 2 ? Integer.parseInt(a[2]) : 1;
        for (int round = 0; round < rounds; round++) {
            long t = System.nanoTime(); long c = 0; var cov = new ServiceCoverage(); var bad = new TreeMap<String, List<Long>>();
            var mx = java.lang.management.ManagementFactory.getThreadMXBean();
            long cpu = mx.getCurrentThreadCpuTime();
            for (long s = first; s < first + count; s++) { var r = ServiceRun.of(FaultPlan.draw(s)); c += r.events(); cov.add(r.coverage()); long seed = s;
              r.violated().ifPresent(v -> { var l = bad.computeIfAbsent(v, x -> new ArrayList<>()); l.add(seed); if (l.size() < 3) System.out.println(seed + " " + v + ": " + r.detail().lines().limit(6).toList()); }); }
            System.out.printf("%d seeds %.1f ms/seed cpu %.1f, events %d%n", count, (System.nanoTime() - t) / 1e6 / count, (mx.getCurrentThreadCpuTime() - cpu) / 1e6 / count, c / count);
            bad.forEach((k, v) -> System.out.println(k + " " + v.size() + " " + v.stream().limit(20).toList()));
            if (round == rounds - 1) { for (var f : ServiceFault.values()) System.out.printf("%8.2f %s%n", cov.of(f) / (double) count, f); for (var f : ServiceSituation.values()) System.out.printf("%8.2f %s%n", cov.of(f) / (double) count, f); }
        }
    }
}
