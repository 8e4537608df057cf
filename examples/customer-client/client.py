"""What ends in 90 days, all license files, last month's usage: PORTAL_URL=… TOKEN=lpc_… CUSTOMER=… python3 client.py <folder>"""
import datetime, json, os, pathlib, sys, urllib.request

portal, token, customer = (os.environ[name] for name in ("PORTAL_URL", "TOKEN", "CUSTOMER"))
folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

def send(path, **body):
    data = json.dumps({"customerNumber": customer, **body}).encode()
    with urllib.request.urlopen(urllib.request.Request(portal + path, data, headers)) as answer:
        text = answer.read()
        if not answer.headers["content-type"].startswith("application/json"): return text
    answer = json.loads(text)
    if answer["status"] != "SUCCESS": sys.exit(f"{answer['code']}: {answer['err']}")
    return answer

def days(field, first, last):
    return {"condition": "ALL", "criteria": [{"name": field, "method": "DAYRANGE", "value": [str(first), str(last)]}]}

today, page = datetime.datetime.now(datetime.timezone.utc).date(), {"token": None}
while page:
    page = send("/api/fetchEntitlements/active", filter=days("EndDate", today, today + datetime.timedelta(90)), token=page["token"])
    for row in page["data"]: print(row["EndDate"], row["ActivationId"], row["ProductName"])
    page = page if page["token"] else None
folder.mkdir(parents=True, exist_ok=True)
for server in send("/api/fulfillments/servers")["data"]:
    if server["generatedAt"]:
        file = send("/api/fulfillments/download", serverId=server["id"], serverName=server["name"], serverIdType=server["type"])
        (folder / pathlib.Path(file["licenseFileName"]).name).write_text(file["licenseText"], newline="")
last = today.replace(day=1) - datetime.timedelta(1)
(folder / f"usage-{last:%Y-%m}.csv").write_bytes(send("/api/fetchUsage/export", filter=days("EndTime", last.replace(day=1), last)))
