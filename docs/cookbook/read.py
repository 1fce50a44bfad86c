import json

summary = json.load(open("results/web/summary.json"))
for group in summary["flows"]:
    print(group["group"], group["goodput_bps"], group["loss_ratio"])
